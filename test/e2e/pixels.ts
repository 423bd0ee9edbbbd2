/** Colours of pixels in pictures of the page. */

import type { Locator, Page } from 'playwright-core'

/** Red, green and blue of some pixels of a picture. */
export function pixelsOf(page: Page, png: string, places: [number, number][]): Promise<number[][]> {
  return page.evaluate(async ([data, at]) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    const context = canvas.getContext('2d')!
    context.drawImage(image, 0, 0)
    return at.map(([x, y]) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data])
  }, [png, places] as const)
}

/** Modes of contact whose colours are among the pixels around a point of the page. */
export async function contactModesNear(page: Page, x: number, y: number): Promise<string[]> {
  const clip = { x: Math.round(x) - 6, y: Math.round(y) - 6, width: 13, height: 13 }
  const png = (await page.screenshot({ clip })).toString('base64')
  return page.evaluate(async data => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    const context = canvas.getContext('2d')!
    context.drawImage(image, 0, 0)
    const pixels = context.getImageData(0, 0, image.width, image.height).data
    const style = getComputedStyle(document.documentElement)
    return ['sticking', 'sliding', 'rolling'].filter(mode => {
      const color = Number.parseInt(style.getPropertyValue(`--${mode}`).trim().slice(1), 16)
      const parts = [color >> 16 & 255, color >> 8 & 255, color & 255]
      for (let i = 0; i < pixels.length; i += 4) if (parts.every((part, k) => Math.abs(part - pixels[i + k]!) < 12)) return true
      return false
    })
  }, png)
}

/** A picture of an element, for comparison with a later one. */
export const pictureOf = async (of: Locator): Promise<string> => (await of.screenshot()).toString('base64')

/** By how much two pictures of the same size differ. */
export interface Difference {
  /** Pixels that differ by more than 20 of 255 in red, green or blue. */
  readonly changed: number
  /** Share of the pixels that have become darker by a fifth. */
  readonly darker: number
}

export function differenceOf(page: Page, earlier: string, later: string): Promise<Difference> {
  return page.evaluate(async pictures => {
    const [one, other] = await Promise.all(pictures.map(async data => {
      const image = new Image()
      image.src = `data:image/png;base64,${data}`
      await image.decode()
      const context = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }).getContext('2d')!
      context.drawImage(image, 0, 0)
      return context.getImageData(0, 0, image.width, image.height).data
    }))
    let [changed, darker] = [0, 0]
    for (let k = 0; k < one!.length; k += 4) {
      if ([0, 1, 2].some(c => Math.abs(one![k + c]! - other![k + c]!) > 20)) changed++
      if (other![k]! < 0.8 * one![k]!) darker++
    }
    return { changed, darker: 4 * darker / one!.length }
  }, [earlier, later])
}
