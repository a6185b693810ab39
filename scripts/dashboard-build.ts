import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { compressFile, digestSources, root } from './web-build.ts'

const sourceFolder = join(root, 'web', 'dashboard')

/** What the service serves: `index.html`, `assets/`, and what the build says of itself. */
export const dashboardFolder: string = join(sourceFolder, 'dist')

const recordFile = join(dashboardFolder, 'build.json')

interface BuildRecord {
  /** Digest of the sources. */
  sources: string
  /** Names below `assets/`. */
  assets: string[]
}

const sourcePatterns = [
  'web/package.json',
  'web/{citations,ui}/**',
  'web/dashboard/*',
  'web/dashboard/{answers,api,forms,pages,shell}/**',
  'src/{contract,client}/**',
  'packages/docent-client/src/**',
]

/** Builds the dashboard unless what is built was made of these very sources. */
export async function ensureDashboard(): Promise<void> {
  const sources = digestSources(sourcePatterns)
  if (readRecord()?.sources !== sources) await buildDashboard(sources)
}

/**
 * Builds into a folder of its own and moves the files over one by one, the page that names them last: whoever looks
 * meanwhile has a whole dashboard, and pages that are open find the parts that they were made with once more.
 */
async function buildDashboard(sources: string): Promise<void> {
  const { build } = await import('vite')
  await mkdir(join(dashboardFolder, 'assets'), { recursive: true })
  const made = await mkdtemp(join(dashboardFolder, '.build-'))
  try {
    await build({ configFile: join(sourceFolder, 'vite.config.ts'), logLevel: 'warn', build: { outDir: made } })
    const assets = await readdir(join(made, 'assets'))
    const texts = assets.filter((name) => compressible.has(extname(name)))
    await Promise.all(texts.map((name) => compressFile(join(made, 'assets', name))))
    await publish(made, { sources, assets })
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

const compressible = new Set(['.css', '.js', '.svg'])

async function publish(made: string, record: BuildRecord): Promise<void> {
  const kept = new Set([...record.assets, ...(readRecord()?.assets ?? [])])
  const move = (name: string) => rename(join(made, name), join(dashboardFolder, name))
  for (const name of await readdir(join(made, 'assets'))) await move(join('assets', name))
  await move('manifest.json')
  await move('index.html')
  await writeFile(join(made, 'build.json'), JSON.stringify(record))
  await move('build.json')
  for (const name of await readdir(join(dashboardFolder, 'assets'))) {
    if (!kept.has(name.replace(/\.(?:br|gz)$/, ''))) await rm(join(dashboardFolder, 'assets', name), { force: true })
  }
}

function readRecord(): BuildRecord | null {
  if (!existsSync(recordFile)) return null
  // Written by this very file.
  return JSON.parse(readFileSync(recordFile, 'utf8')) as BuildRecord
}
