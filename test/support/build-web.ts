import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Builds the dashboard and the widget. In a process of its own, because the one of the tests has another NODE_ENV. Does
 * nothing when they are built already.
 */
export async function buildWeb(): Promise<void> {
  const script = fileURLToPath(new URL('../../scripts/build-web.ts', import.meta.url))
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'], env })
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error('The dashboard and the widget cannot be built: npm run build says why.')
}
