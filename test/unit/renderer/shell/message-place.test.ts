import { describe, expect, it } from 'vitest'
import { placeOfMessages } from '../../../../renderer/shell/message-place'

const window = { width: 1024, height: 700 }
const picture = { left: 200, top: 80, right: 700, bottom: 560 }
/** A card at the lower left of the picture, as wide as given. */
const card = (width: number, height = 200) => ({ left: 10, right: 10 + width, bottom: 10, top: 10 + height })

describe('messages', () => {
  it('stand at the lower right of the picture, above the scales', () => {
    expect(placeOfMessages(picture, window, [])).toEqual({ right: '338px', width: '420px', bottom: '224px' })
  })
  it('stand above scales that are higher, such as one of colours, and at the top of a picture without room above them', () => {
    expect(placeOfMessages(picture, window, [], 130)).toMatchObject({ bottom: `${140 + 130 + 7}px` })
    expect(placeOfMessages({ ...picture, bottom: 400 }, window, [], 240)).toMatchObject({ top: '87px', bottom: 'auto' })
  })
  it('stand beside a card where there is room', () => {
    expect(placeOfMessages(picture, window, [card(210)])).toEqual({ right: '338px', width: `${500 - 220 - 28}px`, bottom: '224px' })
  })
  it('stand above a card without room beside it, and at the top without room above it', () => {
    expect(placeOfMessages(picture, window, [card(290)])).toEqual({ right: '338px', width: '420px', bottom: `${140 + 210 + 7}px` })
    expect(placeOfMessages(picture, window, [card(290, 400)])).toEqual({ right: '338px', width: '420px', top: '87px', bottom: 'auto' })
  })
  it('ignore bars as low as the scales, and cards that end before them', () => {
    expect(placeOfMessages(picture, window, [{ left: 0, right: 500, bottom: 10, top: 50 }, card(50)])).toEqual(placeOfMessages(picture, window, []))
  })
  it('stand at the top of a low picture, below banners, and not in one that is too small', () => {
    expect(placeOfMessages({ ...picture, bottom: 380 }, window, [])).toMatchObject({ top: '87px', bottom: 'auto' })
    expect(placeOfMessages({ ...picture, bottom: 380 }, window, [], 0, 57)).toMatchObject({ top: `${80 + 57 + 7}px`, bottom: 'auto' })
    expect(placeOfMessages({ ...picture, right: 400 }, window, [])).toBeUndefined()
  })
})
