import { readFile } from 'node:fs/promises'
import { AppError } from '../../contract/app-error.ts'
import type { DocentServer } from '../app-env.ts'

const web = new URL('../../../web/site/', import.meta.url)
/** For readers, who check receipts without Docent. */
const verifier = { name: 'docent-verify.mjs', file: new URL('../../git/verify-receipt.mjs', import.meta.url) }
const script = 'text/javascript; charset=utf-8'

/** The files and their types. An allowlist, so that no path can lead anywhere else. */
const assetTypes: Readonly<Record<string, string>> = {
  'site.css': 'text/css; charset=utf-8',
  'ask.js': script,
  'answer-stream.js': script,
  'answer-text.js': script,
  'read-events.js': script,
  'session.js': script,
  [verifier.name]: script,
}

export function addAssets(app: DocentServer): void {
  app.get('/assets/:name', async (c) => {
    const name = c.req.param('name')
    const type = Object.hasOwn(assetTypes, name) ? assetTypes[name] : undefined
    if (type === undefined) throw new AppError('not_found', `There is no file ${name.slice(0, 100)}.`)
    return c.body(await readFile(name === verifier.name ? verifier.file : new URL(name, web)), 200, {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=300',
      'X-Content-Type-Options': 'nosniff',
    })
  })
}
