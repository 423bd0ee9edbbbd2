import { defineAsyncComponent, defineComponent, h, type Component } from 'vue'
import type { PanelId } from '../state/panels'
import AccuracyPanel from './AccuracyPanel.vue'
import ArrangePanel from './ArrangePanel.vue'
import BranchesPanel from './BranchesPanel.vue'
import ContactPanel from './ContactPanel.vue'
import ContactsPanel from './ContactsPanel.vue'
import EventsPanel from './EventsPanel.vue'
import GalleryPanel from './GalleryPanel.vue'
import InspectorPanel from './InspectorPanel.vue'
import JointsPanel from './JointsPanel.vue'
import LessonPanel from './LessonPanel.vue'
import MaterialsPanel from './MaterialsPanel.vue'
import OutlinerPanel from './OutlinerPanel.vue'
import ParametersPanel from './ParametersPanel.vue'
import PlotsPanel from './PlotsPanel.vue'
import ProblemsPanel from './ProblemsPanel.vue'
import RunsPanel from './RunsPanel.vue'
import SweepsPanel from './SweepsPanel.vue'
import TimelinePanel from './TimelinePanel.vue'
import ViewportPanel from './ViewportPanel.vue'

/** The dock passes its own parameters to a panel; ours take none. */
const panel = (component: Component) => defineComponent({ inheritAttrs: false, setup: () => () => h(component) })

/** Components of the dock by panel name. The script editor is large and is loaded when first shown. */
export const panelComponents: Record<PanelId, Component> = {
  viewport: panel(ViewportPanel),
  outliner: panel(OutlinerPanel),
  inspector: panel(InspectorPanel),
  materials: panel(MaterialsPanel),
  joints: panel(JointsPanel),
  arrange: panel(ArrangePanel),
  parameters: panel(ParametersPanel),
  timeline: panel(TimelinePanel),
  contacts: panel(ContactsPanel),
  contact: panel(ContactPanel),
  events: panel(EventsPanel),
  accuracy: panel(AccuracyPanel),
  plots: panel(PlotsPanel),
  script: panel(defineAsyncComponent(() => import('./ScriptPanel.vue'))),
  problems: panel(ProblemsPanel),
  runs: panel(RunsPanel),
  sweeps: panel(SweepsPanel),
  branches: panel(BranchesPanel),
  gallery: panel(GalleryPanel),
  lesson: panel(LessonPanel),
}
