/** @jsxImportSource preact */
import { render } from 'preact'
import { ServiceRequests } from '../../../packages/docent-client/src/service-requests.ts'
import type { Panel, PanelDeps } from '../panel-contract.ts'
import { chooseLanguage } from '../words/languages.ts'
import { loadWords } from '../words/load-words.ts'
import { makeSay } from '../words/make-say.ts'
import { Announcer } from './announcer.ts'
import { Conversation } from './conversation.ts'
import { describeFault } from './describe-fault.ts'
import css from './panel.css?inline'
import type { PanelContext } from './panel-context.ts'
import { SearchView } from './search-view.tsx'
import { TalkView } from './talk-view.tsx'

/** The panel, closed: the module that the launcher loads. */
export async function createPanel({ root, options, emit, closed }: PanelDeps): Promise<Panel> {
  const language = chooseLanguage(options.language, document.documentElement.lang)
  const say = makeSay(language, await loadWords(language))
  const { url, site, key, mode, label } = options
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets.push(sheet)
  const dialog = document.createElement('dialog')
  dialog.className = `panel ${mode}`
  dialog.setAttribute('part', 'panel')
  dialog.setAttribute('aria-label', label)
  const view = document.createElement('div')
  view.className = 'view'
  const status = document.createElement('div')
  status.className = 'said'
  status.setAttribute('role', 'status')
  dialog.append(view, status)
  root.append(dialog)

  const requests = new ServiceRequests({ url, site, key, headers: { 'X-Docent-Client': 'widget' } })
  const announcer = new Announcer(() => status)
  let before: Element | null = null
  let wasTalk = false
  const context: PanelContext = {
    say,
    language,
    options,
    requests,
    conversation: new Conversation({
      site,
      requests,
      emit,
      describeFault: (error) => describeFault(context, error, 'connectionLost'),
      changed: () => draw(),
    }),
    announcer,
    close: () => dialog.close(),
    draw,
    evidence: null,
  }

  function draw(): void {
    const isTalk = context.conversation.turns.length > 0
    render(isTalk ? <TalkView context={context} /> : <SearchView context={context} />, view)
    // The field of the other view has replaced the one that had the focus.
    if (isTalk !== wasTalk && dialog.open && root.host.matches(':focus-within')) focusField()
    else if (isTalk !== wasTalk && dialog.open && document.activeElement === document.body) focusField()
    wasTalk = isTalk
  }

  const focusField = () => dialog.querySelector<HTMLElement>('[data-field]')?.focus()

  /** Closes what is in front: the passage, then the panel. */
  function dismiss(event: Event): void {
    event.preventDefault()
    if (context.evidence === null) dialog.close()
    else {
      context.evidence = null
      draw()
    }
  }

  dialog.addEventListener('cancel', dismiss)
  dialog.addEventListener('keydown', (event) => {
    // Modal dialogs tell it as `cancel`.
    if (event.key === 'Escape' && !event.isComposing && mode === 'panel') dismiss(event)
  })
  dialog.addEventListener('click', (event) => {
    // The dialog itself is hit only beside what it contains.
    if (event.target === dialog && mode === 'modal') dialog.close()
  })
  dialog.addEventListener('close', () => {
    closed()
    const target = before instanceof HTMLElement && before.isConnected ? before : root.querySelector('button')
    target?.focus()
  })

  function show(): void {
    if (mode === 'modal') dialog.showModal()
    // `show` would move the focus.
    else dialog.open = true
  }

  draw()
  void context.conversation.resume()
  return {
    open(movesFocus) {
      if (!dialog.open) {
        before = root.activeElement ?? document.activeElement
        show()
      }
      if (movesFocus) focusField()
    },
    close: () => dialog.close(),
    ask: (question) => void context.conversation.ask(question),
    restore() {
      if (mode === 'panel') return
      // It has left the top layer with its element.
      dialog.open = false
      show()
    },
    destroy() {
      context.conversation.stop()
      render(null, view)
    },
  }
}
