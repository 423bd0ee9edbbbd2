import { shallowRef } from 'vue'
import type { Vec3 } from '../../core/math/vector'

/** Where the next added body goes instead of the middle of the view; set by a drop on the viewport and used up by the command. */
export const dropPoint = shallowRef<Vec3 | null>(null)
