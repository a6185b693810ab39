import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { ensureWidget, widgetFolder } from '../scripts/widget-build.ts'
import { findChromium } from '../test/wire/browser/find-chromium.ts'
import { median } from './load.ts'

// What a page downloads for the widget, beside packages of others from the registry, and the time from a press of the button
// to the first frame that shows the panel, on a processor slowed down four times.

/** Files that a page loads for a widget before anybody asks, and their place in the package. */
const peers = [
  { spec: '@docsearch/js@5.2.0', files: ['dist/umd/index.js'] },
  { spec: '@docsearch/css@5.2.0', files: ['dist/style.css'] },
  { spec: 'docsgpt@0.5.1', files: ['dist/modern/browser.js'] },
]

const slowdown = 4

/** @param rounds Presses of each kind. */
export async function benchWidget(rounds: number): Promise<void> {
  await ensureWidget()
  const states = {
    'until it is opened': ['widget.js'],
    opened: ['widget.js', 'panel.js', 'panel-content.js'],
    'answering with code': ['widget.js', 'panel.js', 'panel-content.js', 'talk-view.js', 'highlight-code.js'],
  }
  for (const [state, names] of Object.entries(states)) {
    await tellSize(
      `Docent ${state}`,
      names.map((name) => join(widgetFolder, name)),
    )
  }
  for (const { spec, files } of peers) await benchPeer(spec, files)
  await benchPaint(rounds)
}

async function benchPeer(spec: string, files: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-bench-'))
  try {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', spec], { cwd: folder })
    await promisify(execFile)('tar', ['-xzf', stdout.trim()], { cwd: folder })
    await tellSize(
      spec,
      files.map((file) => join(folder, 'package', file)),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function tellSize(name: string, files: readonly string[]): Promise<void> {
  const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(file), { level: 9 }).length))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`${name}: ${(bytes / 1_000).toFixed(1)} KB gzip in ${files.length} files`)
}

async function benchPaint(rounds: number): Promise<void> {
  const executablePath = findChromium()
  if (executablePath === null) return console.log('First paint: not measured, because there is no Chromium.')
  const server = createServer(({ url = '/' }, response) => {
    const file = /^\/(?:widget\/)?([a-z-]+\.js)$/.exec(url)?.[1]
    response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript')
    response.end(file === undefined ? page : readFileSync(join(widgetFolder, file)))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    for (const isPointedAt of [false, true]) {
      const times: number[] = []
      for (let round = 0; round < rounds; round++) {
        const tab = await browser.newPage()
        const { port } = server.address() as AddressInfo
        await tab.goto(`http://127.0.0.1:${port}/`)
        const session = await tab.context().newCDPSession(tab)
        await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
        times.push(await tab.evaluate(timePaint, isPointedAt))
        await tab.close()
      }
      const kind = isPointedAt ? 'with its code loaded when pointed at' : 'with its code loaded by the press'
      console.log(`First paint of the panel, ${kind}, ${slowdown}x slower: median ${median(times).toFixed(0)} ms`)
    }
  } finally {
    await browser.close()
    server.close()
  }
}

const page = '<!doctype html><script src="/widget.js" data-site="docs" data-key="none"></script><body>'

/** Runs in the page. */
async function timePaint(isPointedAt: boolean): Promise<number> {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const button = document.querySelector('docent-widget')?.shadowRoot?.querySelector('button')
  if (isPointedAt) {
    button?.dispatchEvent(new Event('pointerenter'))
    await pause(1_000)
  }
  const shown = new Promise((resolve) => document.addEventListener('docent:open', resolve))
  const startedAt = performance.now()
  button?.click()
  await shown
  // The task after the next frame.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  return performance.now() - startedAt
}
