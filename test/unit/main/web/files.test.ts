import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Connection } from '../../../../main/protocol/wire'
import { connect, scene, setUp, type Setting } from './loopback'

let setting: Setting
let page: Connection
const at = (name: string) => join(setting.root, name)
const outside = { name: 'OutsideRoot' }

beforeEach(async () => {
  setting = await setUp()
  mkdirSync(at('scenes/deep'), { recursive: true })
  mkdirSync(at('.git'))
  for (const name of ['b.cairn.json', 'A.cairn.json', 'run10.mcap', 'run9.mcap', '.hidden.json', '.git/config.json', 'scenes/in.cairn.json', 'scenes/deep/x.json']) {
    writeFileSync(at(name), scene)
  }
  page = await connect(setting.host)
})
afterEach(async () => {
  page.close()
  await setting.close()
})

/** Lists the folder at this path below the root, level by level as in the dialog. */
async function listing(...names: string[]) {
  let here = await page.web.listFolder(null)
  for (const name of names) here = await page.web.listFolder(here.folders.find(folder => folder.name === name)!.folder)
  return here
}

describe('the folder that is served', () => {
  it('is listed by names, without hidden entries', async () => {
    const root = await listing()
    expect(root.trail.map(part => part.name)).toStrictEqual(['root'])
    expect(root.folders.map(folder => folder.name)).toStrictEqual(['scenes'])
    expect(root.files.map(file => file.name)).toStrictEqual(['A.cairn.json', 'b.cairn.json', 'run9.mcap', 'run10.mcap'])
    expect(root.files[0]!.bytes).toBe(scene.length)
    expect(Math.abs(root.files[0]!.modifiedAt - Date.now())).toBeLessThan(60_000)
  })

  it('can be navigated down and up', async () => {
    const deep = await listing('scenes', 'deep')
    expect(deep.trail.map(part => part.name)).toStrictEqual(['root', 'scenes', 'deep'])
    const up = await page.web.listFolder(deep.trail[1]!.folder)
    expect(up.files.map(file => file.name)).toStrictEqual(['in.cairn.json'])
    expect(up.folder).toBe(deep.trail[1]!.folder)
  })

  it('reveals no absolute path', async () => {
    expect(JSON.stringify(await listing('scenes', 'deep'))).not.toContain(setting.folder)
  })

  it('opens and saves its files by their handles', async () => {
    const { files } = await listing('scenes')
    const opened = await page.engine.openHandle(files[0]!.handle)
    expect(opened).toMatchObject({ name: 'in.cairn.json', text: scene, savable: true })
    expect(await page.engine.save(opened.handle, 'changed', { overwrite: false, base: opened.revision })).toMatchObject({ status: 'saved' })
    expect(readFileSync(at('scenes/in.cairn.json'), 'utf8')).toBe('changed')
  })

  it('takes new files', async () => {
    const { folder } = await listing('scenes')
    const handle = await page.web.fileIn(folder, 'new.cairn.json')
    expect(await page.engine.save(handle, scene, { overwrite: false })).toMatchObject({ status: 'saved', name: 'new.cairn.json' })
    expect(readFileSync(at('scenes/new.cairn.json'), 'utf8')).toBe(scene)
    expect((await listing('scenes')).files.find(file => file.name === 'new.cairn.json')!.handle).toBe(handle)
  })

  it.each(['../secret.json', '..', '.', '/etc/passwd', 'scenes/in.cairn.json', 'scenes\\in.cairn.json', 'C:secret.json', 'a\0b', '.hidden.json', '.bashrc'])(
    'refuses the file name %j', async name => {
      const { folder } = await listing()
      await expect(page.web.fileIn(folder, name)).rejects.toMatchObject({ name: 'InvalidName' })
    },
  )

  it('is reached only by handles that were issued, not by forged ones', async () => {
    const { folder, files } = await listing()
    for (const forged of [setting.root, '/', '..', folder.toUpperCase(), `${folder}/..`, files[0]!.handle]) {
      await expect(page.web.listFolder(forged), forged).rejects.toMatchObject({ name: 'UnknownFolder' })
      await expect(page.web.fileIn(forged, 'x.json'), forged).rejects.toMatchObject({ name: 'UnknownFolder' })
    }
    for (const forged of [at('b.cairn.json'), '../secret.json', folder]) {
      await expect(page.engine.openHandle(forged), forged).rejects.toMatchObject({ name: 'UnknownDocument' })
      await expect(page.engine.save(forged, '', { overwrite: true }), forged).rejects.toMatchObject({ name: 'UnknownDocument' })
    }
  })
})

describe('links', () => {
  it('inside the folder are followed', async () => {
    symlinkSync(at('scenes'), at('linked'))
    symlinkSync(at('scenes/in.cairn.json'), at('linked.json'))
    const root = await listing()
    expect(root.folders.map(folder => folder.name)).toStrictEqual(['linked', 'scenes'])
    expect(root.folders[0]!.folder).toBe(root.folders[1]!.folder)
    const { handle } = root.files.find(file => file.name === 'linked.json')!
    expect((await page.engine.openHandle(handle)).name).toBe('in.cairn.json')
  })

  it('that lead outside, nowhere, in a circle or to hidden files are not listed', async () => {
    symlinkSync(join(setting.folder, 'secret.json'), at('secret.json'))
    symlinkSync(setting.folder, at('up'))
    symlinkSync('/', at('top'))
    symlinkSync('../home', at('home'))
    symlinkSync(at('missing'), at('nowhere.json'))
    symlinkSync('circle', at('circle'))
    symlinkSync('.git', at('git'))
    symlinkSync('.hidden.json', at('shown.json'))
    const root = await listing()
    expect(root.folders.map(folder => folder.name)).toStrictEqual(['scenes'])
    expect(root.files.map(file => file.name)).toStrictEqual(['A.cairn.json', 'b.cairn.json', 'run9.mcap', 'run10.mcap'])
    for (const name of ['secret.json', 'up', 'top', 'home', 'circle', 'git', 'shown.json']) {
      await expect(page.web.fileIn(root.folder, name), name).rejects.toMatchObject(outside)
    }
  })

  it('that replace a folder after it was listed are not followed', async () => {
    const { folder, files } = await listing('scenes')
    renameSync(at('scenes'), at('moved'))
    mkdirSync(join(setting.folder, 'elsewhere'))
    writeFileSync(join(setting.folder, 'elsewhere/in.cairn.json'), scene)
    symlinkSync(join(setting.folder, 'elsewhere'), at('scenes'))
    await expect(page.web.listFolder(folder)).rejects.toMatchObject(outside)
    await expect(page.web.fileIn(folder, 'new.json')).rejects.toMatchObject(outside)
    await expect(page.engine.openHandle(files[0]!.handle)).rejects.toMatchObject(outside)
    await expect(page.engine.save(files[0]!.handle, 'x', { overwrite: true })).rejects.toMatchObject(outside)
    expect(readFileSync(join(setting.folder, 'elsewhere/in.cairn.json'), 'utf8')).toBe(scene)
  })

  it('that replace a file after it was opened are neither read nor written through', async () => {
    const { files } = await listing()
    const { handle } = await page.engine.openHandle(files[0]!.handle)
    rmSync(at('A.cairn.json'))
    symlinkSync(join(setting.folder, 'secret.json'), at('A.cairn.json'))
    await expect(page.engine.openHandle(handle)).rejects.toMatchObject(outside)
    await expect(page.engine.save(handle, 'x', { overwrite: true })).rejects.toMatchObject(outside)
    expect(readFileSync(join(setting.folder, 'secret.json'), 'utf8')).toBe(scene)
  })

  it('that lead to a file that does not exist yet are replaced, not followed', async () => {
    const { folder } = await listing()
    symlinkSync(join(setting.folder, 'planted.json'), at('plant.json'))
    const handle = await page.web.fileIn(folder, 'plant.json')
    await page.engine.save(handle, scene, { overwrite: true })
    expect(() => readFileSync(join(setting.folder, 'planted.json'))).toThrow(/ENOENT/)
    expect(realpathSync(at('plant.json'))).toBe(at('plant.json'))
  })
})

describe('documents elsewhere', () => {
  it('are not listed as recent, and their handles open nothing', async () => {
    const secret = setting.engine.handleFor(join(setting.folder, 'secret.json'))
    await setting.engine.openHandle(secret)
    const { files } = await listing()
    await page.engine.openHandle(files[0]!.handle)
    expect((await setting.engine.recent()).map(document => document.name)).toStrictEqual(['A.cairn.json', 'secret.json'])
    expect((await page.engine.recent()).map(document => document.name)).toStrictEqual(['A.cairn.json'])
    await expect(page.engine.openHandle(secret)).rejects.toMatchObject(outside)
    await expect(page.engine.save(secret, 'x', { overwrite: true })).rejects.toMatchObject(outside)
  })

  it('are open when the command line named them', async () => {
    const other = await setUp((engine, folder) => engine.handleFor(join(folder, 'secret.json')))
    try {
      const there = await connect(other.host)
      const handle = await there.web.initialDocument()
      const opened = await there.engine.openHandle(handle!)
      expect(opened).toMatchObject({ name: 'secret.json', text: scene })
      expect(await there.engine.save(handle!, `${scene}\n`, { overwrite: false, base: opened.revision })).toMatchObject({ status: 'saved' })
      expect(await there.engine.recent()).toHaveLength(1)
      there.close()
    } finally {
      await other.close()
    }
  })

  it('are opened from bytes', async () => {
    const opened = await page.engine.openBytes('dropped.cairn.json', Buffer.from(scene))
    expect(opened).toMatchObject({ name: 'dropped.cairn.json', text: scene, savable: false })
    expect((await page.engine.openHandle(opened.handle)).text).toBe(scene)
  })
})
