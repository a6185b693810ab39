import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Beside `src/` in a checkout and beside `dist/` in the package. */
const manifest = new URL('../../package.json', import.meta.url)

export const productVersion: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(manifest, 'utf8'))).version
