/** Child process, bundled into the harness's copy: runs one of Cairn's methods on one scene and sends the row's figures to its parent. */

import { runCairn, type CairnJob, type Harness } from './run'

const part = (path: string): Promise<unknown> => import(new URL(path, import.meta.url).href)

process.on('message', (job: CairnJob) => {
  void (async () => {
    let reply: object
    try {
      const parts = await Promise.all(['src/scene.mjs', 'src/metrics/index.mjs', 'src/simulate.mjs'].map(part))
      reply = runCairn(job, Object.assign({}, ...parts) as Harness)
    } catch (error) {
      reply = { error: String(error) }
    }
    process.send!(reply, () => process.exit(0))
  })()
})
