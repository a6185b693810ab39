import { type Browser, chromium } from 'playwright-core'
import { chromiumArguments, findChromium } from '../wire/browser/find-chromium.ts'

let shared: Promise<Browser> | null = null
let endsWithProcess = false

/**
 * The one Chromium of this process, which test files use after one another: starting one takes longer than most tests.
 * Files close what they opened with `closeWindows`, and never the browser, which ends with the process.
 */
export async function shareBrowser(): Promise<Browser> {
  const running = await shared?.catch(() => null)
  if (running?.isConnected() === true) return running
  shared = launch()
  return shared
}

/** Closes all windows, for the end of a file, so that the next one finds none. */
export async function closeWindows(): Promise<void> {
  const browser = await shared?.catch(() => null)
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()))
}

/**
 * The processes of tests are ended by a signal. Leaving by `exit` has playwright end the browser and remove its folder
 * there and then; closing it politely takes longer than the runner waits on a busy machine.
 */
function launch(): Promise<Browser> {
  if (!endsWithProcess) process.once('SIGTERM', () => process.exit())
  endsWithProcess = true
  return chromium.launch({ executablePath: findChromium() ?? '', args: chromiumArguments, handleSIGTERM: false })
}
