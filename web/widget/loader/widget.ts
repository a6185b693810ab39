// The script that pages load: a classic one, so that its tag can carry the settings.

import type { PanelModule } from '../panel-contract.ts'
import { readOptions } from '../widget-options.ts'
import { startWidget, type WidgetApi, type WidgetCall } from './start-widget.ts'

declare global {
  interface Window {
    docent?: WidgetApi | WidgetCall[]
  }
}

const { currentScript } = document

function start(script: HTMLScriptElement): void {
  const options = readOptions(script.dataset, script.src)
  if (options === null) {
    // eslint-disable-next-line no-console -- The owner of the page looks nowhere else.
    console.error('Docent: the script tag needs data-site, the slug of a site.')
    return
  }
  const queue = window.docent
  const address = `${options.url}/widget/panel.js`
  const api = startWidget(options, () => import(/* @vite-ignore */ address) as Promise<PanelModule>)
  window.docent = api
  if (Array.isArray(queue)) api.push(...queue)
}

// Routers run scripts of a page again. One widget is enough.
if (currentScript instanceof HTMLScriptElement && (!window.docent || Array.isArray(window.docent))) {
  if (document.body) start(currentScript)
  else document.addEventListener('DOMContentLoaded', () => start(currentScript))
}
