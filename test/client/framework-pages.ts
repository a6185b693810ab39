import { compile, compileModule } from 'svelte/compiler'
import type { Plugin } from 'vite'

// The same chat in each framework. It shows each answer as its pieces, cited ones with the numbers and verdicts of their
// sources, and then its sources.

const setup = (url: string) => `
  import { DocentTransport, listSources, listTexts, splitByCitations } from 'docent-client'
  const transport = new DocentTransport({ url: '${url}', site: 'docs', key: 'svc_dsc_test' })
  const describePieces = (message) => listTexts(message).flatMap((text) => splitByCitations(text)).map(
    ({ text, citations }) => text + citations.map(({ number, verdict }) => '{' + number + ' ' + verdict + '}').join(''))
  const describe = (message) => describePieces(message).join('|') + ' – ' + listSources(message).map(({ number, title }) => number + ' ' + title).join(', ')
`

export function writeReactPage(url: string): string {
  return `// @ts-nocheck
    import { useChat } from '@ai-sdk/react'
    import { createRoot } from 'react-dom/client'
    ${setup(url)}
    function Page() {
      const { messages, sendMessage, status, error } = useChat({ transport })
      return <>
        <button onClick={() => void sendMessage({ text: 'How long do keys last?' })}>Ask</button>
        {messages.filter(({ role }) => role === 'assistant').map((message) => <article key={message.id}>{describe(message)}</article>)}
        <p role="status">{error?.message ?? status}</p>
      </>
    }
    createRoot(document.querySelector('#root')!).render(<Page />)`
}

export function writeVuePage(url: string): string {
  return `// @ts-nocheck
    import { Chat } from '@ai-sdk/vue'
    import { createApp, h } from 'vue'
    ${setup(url)}
    const chat = new Chat({ transport })
    const render = () => [
      h('button', { onClick: () => void chat.sendMessage({ text: 'How long do keys last?' }) }, 'Ask'),
      ...chat.messages.filter(({ role }) => role === 'assistant').map((message) => h('article', { key: message.id }, describe(message))),
      h('p', { role: 'status' }, chat.error?.message ?? chat.status),
    ]
    createApp({ render }).mount('#root')`
}

export const svelteMain = `// @ts-nocheck
  import { mount } from 'svelte'
  import App from './app.svelte'
  mount(App, { target: document.querySelector('#root')! })`

export function writeSveltePage(url: string): string {
  return `<script>
    import { Chat } from '@ai-sdk/svelte'
    ${setup(url)}
    const chat = new Chat({ transport })
  </script>
  <button onclick={() => chat.sendMessage({ text: 'How long do keys last?' })}>Ask</button>
  {#each chat.messages.filter(({ role }) => role === 'assistant') as message (message.id)}<article>{describe(message)}</article>{/each}
  <p role="status">{chat.error?.message ?? chat.status}</p>`
}

/** Compiles components and modules with runes, as the plugin of Svelte does. */
export const sveltePlugin: Plugin = {
  name: 'svelte',
  config: () => ({ resolve: { conditions: ['svelte', 'module', 'browser', 'development|production'] } }),
  transform(code, id) {
    const options = { filename: id, generate: 'client', dev: false } as const
    if (id.endsWith('.svelte')) return compile(code, options).js
    return id.endsWith('.svelte.js') ? compileModule(code, options).js : null
  },
}
