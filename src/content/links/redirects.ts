import { z } from 'zod'
import type { Redirect } from './redirect.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'
import { parseJson } from '../site-config/parse-json.ts'
import { readText, type SourceFiles } from '../trees/read-text.ts'

const redirectsMax = 50_000
const filesMax = 5

/** The form shared by docs.json and vercel.json. Invalid entries are skipped. */
export const redirectListSchema = z
  .array(
    z
      .object({ source: z.string().max(2000), destination: z.string().max(2000) })
      .nullable()
      .catch(null),
  )
  .max(redirectsMax)
  .transform((list): Redirect[] => list.filter((entry) => entry !== null))

const redirectFile = /^(?:[^/]+\/){0,3}(?:_redirects|vercel\.json)$/

/** Reads the redirects that hosts such as Netlify, Cloudflare and Vercel take from files of the source. */
export async function readHostRedirects(files: SourceFiles): Promise<Redirect[]> {
  const found = [...files.paths].filter((path) => redirectFile.test(path)).slice(0, filesMax)
  const lists = await Promise.all(
    found.map(async (file) => {
      const text = (await readText(files, file)) ?? ''
      return file.endsWith('.json') ? parseVercel(text, file, files) : parseLines(text)
    }),
  )
  return lists.flat()
}

function parseLines(text: string): Redirect[] {
  return text.split('\n', redirectsMax).flatMap((line) => {
    const [source = '', destination = '', status = ''] = line.trim().split(/\s+/)
    if (!source.startsWith('/') || destination === '') return []
    return [{ source, destination, ...(status.startsWith('200') && { isRewrite: true as const }) }]
  })
}

function parseVercel(text: string, file: string, { findings }: SourceFiles): Redirect[] {
  const config = parseJson(text, file, findings)
  if (!isRecord(config)) return []
  const [redirects, rewrites] = [config['redirects'], config['rewrites']].map(
    (list) => redirectListSchema.safeParse(list).data ?? [],
  )
  return [...(redirects ?? []), ...(rewrites ?? []).map((rewrite) => ({ ...rewrite, isRewrite: true as const }))]
}
