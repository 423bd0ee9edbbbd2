/**
 * Asks the user to point at something in the viewport: "click the anchor". The caller awaits the answer; the viewport shows the prompt,
 * highlights what can be picked, and answers with the next click. Esc or another question answers null.
 */

import { shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { Hit } from './viewport-api'

export interface PickRequest {
  /** One sentence, shown over the viewport. */
  readonly prompt: string
  /**
   * What the hit is used for, and what is highlighted: the body, the point, a direction (nearest edge, else the face's normal), or a place: a vertex of a
   * deformable near the pointer, else the point of a body.
   */
  readonly what: 'body' | 'point' | 'direction' | 'place'
  /** Id of a deformable whose vertices are not asked for. */
  readonly without?: string
}

export const usePick = defineStore('pick', () => {
  const request = shallowRef<PickRequest | null>(null)
  let settle: ((hit: Hit | null) => void) | null = null

  function ask(next: PickRequest): Promise<Hit | null> {
    answer(null)
    request.value = next
    return new Promise(resolve => { settle = resolve })
  }

  /** Called by the viewport with the clicked hit, or with null on Esc. */
  function answer(hit: Hit | null) {
    const resolve = settle
    settle = null
    request.value = null
    resolve?.(hit)
  }

  return { request, ask, answer }
})
