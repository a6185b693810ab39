// Holds the dashboard to its budget: what the first page needs, in bytes, compressed, and in files.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardFolder, ensureDashboard } from './dashboard-build.ts'
import { listFirstFiles, type ManifestChunk } from './dashboard-size.ts'

const firstPageBytesMax = 255_000
const firstPageFilesMax = 12

/** The pages that people see first. */
const firstPages = ['pages/home/home-page.tsx', 'pages/sign-in/sign-in-page.tsx']

process.env['NODE_ENV'] = 'production'
await ensureDashboard()
// Written by the build of just now.
const manifest = JSON.parse(readFileSync(join(dashboardFolder, 'manifest.json'), 'utf8')) as Record<
  string,
  ManifestChunk
>
for (const page of firstPages) {
  const files = listFirstFiles(manifest, page)
  // The larger of the two copies that are served, so that every browser keeps to it.
  const bytes = files.reduce((sum, file) => sum + statSync(join(dashboardFolder, `${file}.gz`)).size, 0)
  console.log(`${page}: ${(bytes / 1_000).toFixed(1)} KB in ${files.length} files`)
  if (bytes > firstPageBytesMax)
    fail(`${page} needs more than ${firstPageBytesMax / 1_000} KB. Load what is heavy when it is needed.`)
  if (files.length > firstPageFilesMax)
    fail(`${page} needs more than ${firstPageFilesMax} files. See which steps vite.config.ts groups modules by.`)
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
