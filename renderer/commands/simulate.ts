import { watch } from 'vue'
import { counted, formatTime } from '../fields/format'
import { indeterminateEvents } from '../state/branches'
import { useDocument } from '../state/document'
import { prefersLessMotion } from '../state/less-motion'
import { useLive } from '../state/live'
import { usePlayback } from '../state/playback'
import { useProblems } from '../state/problems'
import { useRuns } from '../state/runs'
import { useTimeGhosts } from '../state/time-ghosts'
import { useSelection } from '../state/selection'
import { useShell } from '../state/shell'
import type { Command } from './registry'

/** The note on where a new run returns at its end is shown once. */
let toldOfStart = false

export function simulateCommands(): Command[] {
  const document = useDocument()
  const runs = useRuns()
  const live = useLive()
  const ghosts = useTimeGhosts()
  const playback = usePlayback()
  const problems = useProblems()
  const shell = useShell()
  const selection = useSelection()

  watch(() => document.generation, () => shell.dismissAboutRun())

  playback.onShown.add(() => {
    if (toldOfStart || playback.available <= playback.earliest) return
    toldOfStart = true
    const start = prefersLessMotion() ? 'A new run stays at its start, as the system asks for less motion.' : 'A new run is shown once and goes back to its start.'
    shell.notify(`${start} Space plays it, End goes to its end.`, { seconds: 8, aboutRun: true })
  })

  playback.onShown.add(() => {
    const instants = indeterminateEvents(playback.events)
    const [first] = instants
    if (!first) return
    const others = instants.length > 1 ? `, and at ${counted(instants.length - 1, 'more instant')}` : ''
    shell.notify(`At ${formatTime(first.time, 4)} the laws allow ${counted(first.solutions.length, 'motion')}${others}; this run took one of them.`, {
      action: { label: 'Show them', run: () => shell.openPanel('branches') }, seconds: 12, aboutRun: true,
    })
  })

  /** Action of the primary button in each of its states. */
  async function primary() {
    if (live.run !== null) await live.stop()
    switch (runs.primary.state) {
      case 'starting':
      case 'running': return runs.cancel()
      case 'refused':
      case 'stopped': return showWhy()
      case 'current': return playback.play()
      case 'ready':
      case 'stale': return simulateAndFollow()
    }
  }

  async function simulateAndFollow() {
    show(await runs.simulate() !== null)
  }

  /** Shows the timeline of a started run, which the Problems panel may cover. */
  function show(begun: boolean) {
    if (begun) {
      shell.uncover('timeline', 'problems')
      playback.playFirst()
    } else if (runs.refusal) shell.openPanel('problems')
  }

  function showWhy() {
    shell.openPanel('problems')
    const time = problems.errors.find(problem => problem.time !== undefined)?.time
    if (runs.current && time !== undefined) playback.seek(time)
  }

  /** If the time is not computed yet, simulates and follows; at the end of a run, restarts playback. */
  async function togglePlay() {
    if (live.run !== null) return live.setPaused(!live.paused)
    if (playback.playing) return playback.pause()
    if (!runs.current || (runs.stale && !runs.running)) return simulateAndFollow()
    playback.play()
  }

  const hasRun = () => runs.current !== null && live.run === null
  return [
    { id: 'simulate.primary', label: 'Simulate', menu: 'Simulate', group: 'run', keys: ['Ctrl+Enter'], inFields: true, dynamicLabel: () => runs.primary.label, run: primary },
    { id: 'simulate.again', label: 'Simulate anew', menu: 'Simulate', group: 'run', help: 'Even if a run of this scene is cached.', enabled: () => !runs.running, run: async () => {
      show(await runs.simulate({ reuse: false }) !== null)
    } },
    {
      id: 'simulate.from', label: 'Simulate from this time', menu: 'Simulate', group: 'run', keys: ['Ctrl+Alt+Enter'], inFields: true,
      dynamicLabel: () => runs.current && playback.showsRun ? `Simulate from ${formatTime(playback.time)}` : 'Simulate from this time',
      help: 'A new run of the current scene, starting from the state of the shown run at this time.',
      enabled: () => runs.current !== null && playback.frame !== null && live.run === null,
      run: async () => {
        const from = { run: runs.current!.id, time: playback.time }
        show(await runs.simulate({ reuse: false, from }) !== null)
      },
    },
    { id: 'simulate.cancel', label: 'Cancel run', menu: 'Simulate', group: 'run', enabled: () => runs.running || runs.starting, help: 'Frames computed so far are kept.', run: () => runs.cancel() },
    {
      id: 'simulate.live', label: 'Live', menu: 'Simulate', group: 'live', keys: ['Ctrl+Shift+Enter'], inFields: true, checked: () => live.run !== null,
      dynamicLabel: () => live.run === null && !live.starting ? 'Live' : 'Stop the live session', help: 'Runs in real time while you drag, throw and nail bodies.',
      run: () => live.run !== null || live.starting ? live.stop() : live.start(),
    },
    { id: 'live.nail', label: 'Nail dragged point', menu: 'Simulate', group: 'live', keys: ['N'], enabled: () => live.dragged !== null, help: 'The dragged point stays fixed where the pointer is.', run: () => live.pin() },
    { id: 'live.release', label: 'Release all nails', menu: 'Simulate', group: 'live', keys: ['Shift+N'], enabled: () => live.pinned.length > 0, run: () => live.releasePins() },
    { id: 'live.attach', label: 'Attach…', menu: 'Simulate', group: 'live', keys: ['A'], enabled: () => live.run !== null, help: 'Connects two clicked bodies by a spring between the points, or by a joint at their current poses.', run: () => live.attach() },
    { id: 'live.cut', label: 'Cut all springs of the session', menu: 'Simulate', group: 'live', keys: ['Shift+X'], enabled: () => live.springs.length > 0, run: () => live.cutSprings() },
    {
      id: 'live.freeze', label: 'Freeze or release', menu: 'Simulate', group: 'live', keys: ['Z'], enabled: () => live.run !== null && selection.ids.length > 0,
      help: 'Freezes the selected bodies at their poses; releases fixed ones.', run: () => live.freeze(selection.ids),
    },
    { id: 'live.step', label: 'Step one frame', menu: 'Simulate', group: 'live', enabled: () => live.run !== null, help: 'The session pauses.', run: () => live.step() },
    { id: 'live.keep', label: 'Keep the session as scene', menu: 'Simulate', group: 'live', enabled: () => live.canKeep, help: 'Your actions become part of the scene: simulating it repeats the session.', run: () => live.keep() },
    { id: 'simulate.check', label: 'Check scene', menu: 'Simulate', group: 'run', help: 'Lists everything that prevents a run, including overlap at t = 0.', run: async () => {
      await problems.check()
      shell.openPanel('problems')
    } },
    { id: 'simulate.why', label: 'Show why it stopped', menu: 'Simulate', group: 'run', enabled: () => problems.all.length > 0, run: showWhy },
    { id: 'simulate.sweep', label: 'Sweep…', menu: 'Simulate', group: 'sweep', keys: ['Alt+Enter'], inFields: true, help: 'Many runs of this scene with some of its values changed.', run: () => { shell.dialog = 'sweep' } },
    { id: 'simulate.sweeps', label: 'Results of sweeps', menu: 'Simulate', group: 'sweep', run: () => shell.openPanel('sweeps') },
    { id: 'time.toggle', label: 'Play or pause', menu: 'Simulate', group: 'play', keys: ['Space'], run: togglePlay },
    { id: 'time.start', label: 'Go to the start', menu: 'Simulate', group: 'play', keys: ['Home'], run: () => playback.command({ type: 'start' }) },
    { id: 'time.end', label: 'Go to the end', menu: 'Simulate', group: 'play', keys: ['End'], enabled: hasRun, run: () => playback.command({ type: 'end' }) },
    { id: 'time.previous', label: 'Previous frame', menu: 'Simulate', group: 'step', keys: ['ArrowLeft', ','], enabled: hasRun, run: () => playback.command({ type: 'step', frames: -1 }) },
    { id: 'time.next', label: 'Next frame', menu: 'Simulate', group: 'step', keys: ['ArrowRight', '.'], enabled: () => runs.current !== null, run: () => live.run === null ? playback.command({ type: 'step', frames: 1 }) : live.step() },
    { id: 'time.previousEvent', label: 'Previous event', menu: 'Simulate', group: 'step', keys: ['Shift+ArrowLeft', '['], enabled: hasRun, run: () => playback.command({ type: 'stepEvent', direction: -1 }) },
    { id: 'time.nextEvent', label: 'Next event', menu: 'Simulate', group: 'step', keys: ['Shift+ArrowRight', ']'], enabled: hasRun, run: () => playback.command({ type: 'stepEvent', direction: 1 }) },
    { id: 'ghosts.add', label: 'Ghost at this time', menu: 'Simulate', group: 'ghosts', keys: ['Alt+G'], enabled: () => playback.frame !== null, help: 'Keeps outlines of the bodies at this time in the view.', run: () => ghosts.add() },
    { id: 'ghosts.spread', label: 'Ghosts over the whole run', menu: 'Simulate', group: 'ghosts', enabled: () => playback.frameCount > 1, help: 'Eight ghosts, at equal time intervals.', run: () => ghosts.spread() },
    { id: 'ghosts.clear', label: 'Remove all ghosts', menu: 'Simulate', group: 'ghosts', enabled: () => ghosts.list.length > 0, run: () => ghosts.clear() },
    { id: 'time.loopFrom', label: 'Loop from here', menu: 'Simulate', group: 'step', keys: ['I'], enabled: hasRun, help: 'A loop plays a range of the run again and again. On the time axis: Shift-drag.', run: () => playback.loopRange(playback.time, playback.loop?.to ?? playback.duration) },
    { id: 'time.loopTo', label: 'Loop to here', menu: 'Simulate', group: 'step', keys: ['O'], enabled: hasRun, run: () => playback.loopRange(playback.loop?.from ?? 0, playback.time) },
    { id: 'time.loopWhole', label: 'Loop the whole run', menu: 'Simulate', group: 'step', enabled: () => playback.loop !== null, run: () => { playback.loop = null } },
    { id: 'time.loop', label: 'Loop', menu: 'Simulate', group: 'step', keys: ['Alt+L'], checked: () => playback.looping, run: () => { playback.looping = !playback.looping } },
    { id: 'time.back', label: 'Back to the previous time', menu: 'Simulate', group: 'step', keys: ['Alt+B'], enabled: () => playback.returnedFrom !== null, run: () => playback.backToTime() },
  ]
}
