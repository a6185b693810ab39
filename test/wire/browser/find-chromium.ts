import { existsSync } from 'node:fs'

/**
 * What playwright switches off for stable runs, which the last list of a command line replaces as a whole, and the popup of the
 * address bar: pages of its own, that each window loads though nobody sees one.
 */
const disabledFeatures = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'AimEnabled',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

export const chromiumArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join(',')}`,
]

export const missingChromium =
  'No Chromium was found: install the Debian package "chromium", or set CHROMIUM_PATH to a browser.'

/** The browser that `CHROMIUM_PATH` names, else Debian's; null when there is none. */
export function findChromium(): string | null {
  const path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
  return existsSync(path) ? path : null
}
