import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compressFile, digestSources, root } from './web-build.ts'

const sourceFolder = join(root, 'web', 'widget')

/** What the service serves: `widget.js`, `panel.js`, what the panel loads later, and their compressed copies. */
export const widgetFolder: string = join(sourceFolder, 'dist')

const recordFile = join(widgetFolder, 'sources.txt')

const sourcePatterns = [
  'web/package.json',
  'web/widget/*.ts',
  'web/widget/{loader,panel,page-ask,words}/**',
  'web/citations/*.ts',
  'packages/docent-client/src/**',
  'scripts/widget-build.ts',
]

/** The panel is a module, the loader a classic script, so that its tag can carry the settings. */
const scripts = [
  { entry: 'page-ask/offer-page-ask.ts', fileName: 'page-ask.js', format: 'es' },
  { entry: 'panel/create-panel.tsx', fileName: 'panel.js', format: 'es' },
  { entry: 'loader/widget.ts', fileName: 'widget.js', format: 'iife' },
] as const

/** Builds the widget unless what is built was made of these very sources. */
export async function ensureWidget(): Promise<void> {
  const sources = digestSources(sourcePatterns)
  if (existsSync(recordFile) && readFileSync(recordFile, 'utf8') === sources) return
  await mkdir(widgetFolder, { recursive: true })
  const made = await mkdtemp(join(widgetFolder, '.build-'))
  try {
    for (const script of scripts) await buildScript(script, made)
    for (const name of await readdir(made)) await compressFile(join(made, name))
    await writeFile(join(made, 'sources.txt'), sources)
    // One by one, so that whoever looks meanwhile finds whole files.
    for (const name of (await readdir(made)).sort()) await rename(join(made, name), join(widgetFolder, name))
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

async function buildScript({ entry, fileName, format }: (typeof scripts)[number], outDir: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'warn',
    root: sourceFolder,
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      // The first with colors made from others, which guarantee contrast.
      cssTarget: ['chrome125', 'firefox128', 'safari18'],
      modulePreload: false,
      rolldownOptions: {
        input: join(sourceFolder, entry),
        // So that what is loaded later imports from the panel, rather than both from a third file.
        preserveEntrySignatures: 'allow-extension',
        // Names that stay, of files and of what they export: a panel from before an upgrade still finds what it loads later.
        output: { format, entryFileNames: fileName, chunkFileNames: '[name].js', minifyInternalExports: false },
      },
    },
  })
}
