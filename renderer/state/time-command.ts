/** Every way of changing the time. */
export type TimeCommand =
  | { readonly type: 'seek'; readonly time: number }
  | { readonly type: 'step'; readonly frames: number }
  | { readonly type: 'stepEvent'; readonly direction: 1 | -1 }
  | { readonly type: 'start' }
  | { readonly type: 'end' }
