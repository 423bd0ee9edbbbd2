import { shallowRef } from 'vue'
import type { Vec3 } from '../../core/math/vector'

/** Position of the next added body instead of the middle of the view. Set by a drop on the viewport and cleared by the command. */
export const dropPoint = shallowRef<Vec3 | null>(null)
