import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { compressFile, digestSources, ensureBuild, quietChecks, root } from './web-build.ts'

const sourceFolder = join(root, 'web', 'dashboard')

/** What the service serves: `index.html`, `assets/`, and the build's manifest. */
export const dashboardFolder: string = join(sourceFolder, 'dist')

const sourcePatterns = [
  'web/package.json',
  'web/{citations,ui,words}/**',
  'web/dashboard/*',
  'web/dashboard/{answers,api,forms,pages,shell}/**',
  'src/{contract,client}/**',
  'packages/docent-client/src/**',
]

/** Builds the dashboard unless what is built was made of these very sources. */
export async function ensureDashboard(): Promise<void> {
  await ensureBuild(dashboardFolder, digestSources(sourcePatterns), buildDashboard)
}

async function buildDashboard(outDir: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: join(sourceFolder, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, rolldownOptions: { checks: quietChecks } },
  })
  const assets = await readdir(join(outDir, 'assets'))
  const texts = assets.filter((name) => compressible.has(extname(name)))
  await Promise.all(texts.map((name) => compressFile(join(outDir, 'assets', name))))
}

const compressible = new Set(['.css', '.js', '.svg'])
