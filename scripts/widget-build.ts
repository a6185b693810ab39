import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compressFile, digestSources, ensureBuild, quietChecks, root } from './web-build.ts'

const sourceFolder = join(root, 'web', 'widget')

/** What the service serves: `widget.js`, `panel.js`, what the panel loads later, and their compressed copies. */
export const widgetFolder: string = join(sourceFolder, 'dist')

const sourcePatterns = [
  'web/package.json',
  'web/widget/*.ts',
  'web/widget/{loader,panel,page-ask,web-mcp,words}/**',
  'web/citations/*.ts',
  'packages/docent-client/src/**',
  'scripts/widget-build.ts',
]

/** The panel is a module, the loader a classic script, so that its tag can carry the settings. */
const scripts = [
  { entry: 'page-ask/offer-page-ask.ts', fileName: 'page-ask.js', format: 'es' },
  { entry: 'panel/panel-content.tsx', fileName: 'panel-content.js', format: 'es' },
  { entry: 'panel/panel-frame.ts', fileName: 'panel.js', format: 'es' },
  { entry: 'web-mcp/offer-web-mcp.ts', fileName: 'tools.js', format: 'es' },
  { entry: 'loader/widget.ts', fileName: 'widget.js', format: 'iife' },
] as const

/** Builds the widget unless what is built was made of these very sources. */
export async function ensureWidget(): Promise<void> {
  await ensureBuild(widgetFolder, digestSources(sourcePatterns), async (outDir) => {
    for (const script of scripts) await buildScript(script, outDir)
    for (const name of await readdir(outDir)) await compressFile(join(outDir, name))
  })
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
        checks: quietChecks,
        input: join(sourceFolder, entry),
        // So that what is loaded later imports from the panel, rather than both from a third file.
        preserveEntrySignatures: 'allow-extension',
        // Names that stay, of files and of what they export: a panel from before an upgrade still finds what it loads later.
        output: { format, entryFileNames: fileName, chunkFileNames: '[name].js', minifyInternalExports: false },
      },
    },
  })
}
