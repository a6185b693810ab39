// The script that pages load: a classic one, so that its tag can carry the settings.

import { DocentWidget, type WidgetCall } from './docent-widget.ts'

declare global {
  interface Window {
    docent?: DocentWidget | WidgetCall[]
  }
}

function start({ dataset: { site, key, ...attributes }, src }: HTMLScriptElement): void {
  if (!site) {
    // eslint-disable-next-line no-console -- The owner of the page looks nowhere else.
    console.error('Docent: data-site is missing.')
    return
  }
  // The service may be served below a path.
  const url = src.replace(/\/widget\.js.*/, '')
  const queue = window.docent
  const load = (name: string) => {
    const address = `${url}/widget/${name}.js`
    return import(/* @vite-ignore */ address)
  }
  const widget = new DocentWidget({ tag: { url, site, key }, attributes, load })
  window.docent = widget
  if (Array.isArray(queue)) widget.push(...queue)
}

// Routers run scripts of a page again. One widget is enough. An element of the page may have the widget's name as its id.
// A script of SVG has no settings.
const script = document.currentScript as HTMLScriptElement | null
if (script && !(window.docent as Partial<DocentWidget> | undefined)?.update) {
  if (document.body) start(script)
  else document.addEventListener('DOMContentLoaded', () => start(script))
}
