/** The dockable panels by name, with the titles that tabs, the Window menu and tests use. */

export const PANEL_TITLES = {
  viewport: 'Viewport',
  outliner: 'Outliner',
  inspector: 'Inspector',
  materials: 'Materials',
  joints: 'Joints',
  arrange: 'Arrange',
  parameters: 'Parameters',
  timeline: 'Timeline',
  contacts: 'Contacts',
  contact: 'Contact',
  events: 'Events',
  accuracy: 'Accuracy',
  plots: 'Plots',
  script: 'Script',
  problems: 'Problems',
  runs: 'Runs',
  sweeps: 'Sweeps',
  branches: 'Branches',
  gallery: 'Gallery',
  lesson: 'Lesson',
} as const

export type PanelId = keyof typeof PANEL_TITLES
export const PANEL_IDS = Object.keys(PANEL_TITLES) as readonly PanelId[]
