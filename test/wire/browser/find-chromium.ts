import { existsSync } from 'node:fs'

export const chromiumArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const missingChromium =
  'No Chromium was found: install the Debian package "chromium", or set CHROMIUM_PATH to a browser.'

/** The browser that `CHROMIUM_PATH` names, else Debian's; null when there is none. */
export function findChromium(): string | null {
  const path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
  return existsSync(path) ? path : null
}
