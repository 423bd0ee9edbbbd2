import { useLesson } from '../state/lesson'
import { useShell } from '../state/shell'
import type { Command } from './registry'

export function lessonCommands(): Command[] {
  const lesson = useLesson()
  const shell = useShell()
  return [
    { id: 'help.lessons', label: 'Lessons…', menu: 'Help', group: 'commands', keys: ['Shift+F1'], help: 'From the first ramp to force intervals.', run: () => { shell.dialog = 'lessons' } },
    { id: 'lesson.own', label: 'Lesson of this scene', menu: 'Help', group: 'commands', help: 'Write and show the steps in which the scene explains itself.', run: () => shell.openPanel('lesson') },
    { id: 'lesson.next', label: 'Next step of the lesson', menu: 'Help', group: 'commands', keys: ['Alt+ArrowRight'], inFields: true, enabled: () => lesson.lesson !== null && !lesson.last, run: () => lesson.next() },
    { id: 'lesson.back', label: 'Step before in the lesson', menu: 'Help', group: 'commands', keys: ['Alt+ArrowLeft'], inFields: true, enabled: () => lesson.lesson !== null && lesson.index > 0, run: () => lesson.back() },
  ]
}
