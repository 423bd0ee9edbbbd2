import { defineAsyncComponent, type Component } from 'vue'
import type { PanelId } from '../state/panels'
import AccuracyPanel from './AccuracyPanel.vue'
import ContactPanel from './ContactPanel.vue'
import ContactsPanel from './ContactsPanel.vue'
import GalleryPanel from './GalleryPanel.vue'
import InspectorPanel from './InspectorPanel.vue'
import JointsPanel from './JointsPanel.vue'
import MaterialsPanel from './MaterialsPanel.vue'
import OutlinerPanel from './OutlinerPanel.vue'
import PlotsPanel from './PlotsPanel.vue'
import ProblemsPanel from './ProblemsPanel.vue'
import RunsPanel from './RunsPanel.vue'
import TimelinePanel from './TimelinePanel.vue'
import ViewportPanel from './ViewportPanel.vue'

/** Components of the dock by the panel's name. The script editor is large and loads when it is first shown. */
export const panelComponents: Record<PanelId, Component> = {
  viewport: ViewportPanel,
  outliner: OutlinerPanel,
  inspector: InspectorPanel,
  materials: MaterialsPanel,
  joints: JointsPanel,
  timeline: TimelinePanel,
  contacts: ContactsPanel,
  contact: ContactPanel,
  accuracy: AccuracyPanel,
  plots: PlotsPanel,
  script: defineAsyncComponent(() => import('./ScriptPanel.vue')),
  problems: ProblemsPanel,
  runs: RunsPanel,
  gallery: GalleryPanel,
}
