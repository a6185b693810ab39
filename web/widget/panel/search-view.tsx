/** @jsxImportSource preact */
import { readWebAddress } from '../../citations/describe-citation.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { setAddress } from './follow-link.ts'
import { Icon, IconButton } from './icon.tsx'
import { PastButton } from './past-button.tsx'
import type { PanelContext } from './panel-context.ts'
import { findStarters } from './panel-settings.ts'
import { SubjectChip } from './subject-chip.tsx'
import { describeFault } from './describe-fault.ts'
import type { Say } from '../words/make-say.ts'
import { searchSite, type SearchHit } from './search-site.ts'

/** Wait for the end of a burst of typing. */
const typingMs = 120
/** Screen readers announce results once typing pauses. */
const tellMs = 500

interface Found {
  hits: SearchHit[]
  /** Why there are none, as a sentence. */
  fault: string | null
}

const nothing: Found = { hits: [], fault: null }

/** The field that searches as one types, and asks. */
export function SearchView({ context }: { context: PanelContext }) {
  const { say, settings, draft } = context
  const [text, setText] = useState(draft?.text ?? '')
  // 0 is the question itself; results count from 1.
  const [active, setActive] = useState(0)
  useEffect(() => {
    if (draft) setText(draft.text)
  }, [draft])
  const list = useRef<HTMLDivElement>(null)
  const query = text.trim()
  const found = useSearch(context, query)
  const count = query === '' ? 0 : found.hits.length + 1
  const choose = () => {
    if (active === 0 && query !== '') void context.conversation.ask(query)
    else list.current?.querySelector<HTMLAnchorElement>(`#hit-${active}`)?.click()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') choose()
    else if (step !== undefined && count > 0) setActive((active + step + count) % count)
    else return
    event.preventDefault()
  }
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <>
      <div class="ask">
        <Icon name="search" />
        <input
          data-field
          role="combobox"
          aria-label={settings.placeholder || say('searchOrAsk')}
          aria-expanded={count > 0}
          aria-controls="hits"
          aria-autocomplete="list"
          aria-activedescendant={count > 0 ? `hit-${active}` : undefined}
          placeholder={settings.placeholder || say('searchOrAsk')}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
        <PastButton context={context} />
        <IconButton icon="close" label={say('close')} onClick={() => context.close()} />
      </div>
      <SubjectChip context={context} />
      <div ref={list} id="hits" class="hits" role="listbox" aria-label={say('results')}>
        {query === '' ? null : (
          <div
            id="hit-0"
            class="hit first"
            role="option"
            aria-selected={active === 0}
            onClick={() => void context.conversation.ask(query)}
          >
            <Icon name="ask" />
            <span>{say('askQuery', { query })}</span>
            <span class="kbd" aria-hidden="true">
              ↵
            </span>
          </div>
        )}
        {count > 1 ? <Hits context={context} hits={found.hits} query={query} active={active} /> : null}
      </div>
      {query === '' ? <Beginning context={context} /> : null}
      {found.fault === null ? null : <p class="hint">{found.fault}</p>}
      <p class="foot">
        <span class="keys" aria-hidden="true">
          <span class="kbd">↑</span>
          <span class="kbd">↓</span> {say('keyMove')} <span class="kbd">↵</span> {say('keyOpen')}{' '}
          <span class="kbd">esc</span> {say('keyClose')}
        </span>
        <span class="end">
          <Contact context={context} />
          {say('answersBy', { product: 'Docent' })}
        </span>
      </p>
    </>
  )
}

/** What is below the field before anybody types. */
function Beginning({ context }: { context: PanelContext }) {
  const { say, settings, conversation } = context
  const questions = findStarters(settings.starters, location.pathname)
  return (
    <div class="begin">
      <p class="hint">{say('searchHint')}</p>
      {questions.length === 0 ? null : (
        <ul aria-label={say('starters')}>
          {questions.map((question) => (
            <li key={question}>
              <button type="button" class="hit" dir="auto" onClick={() => void conversation.ask(question)}>
                <Icon name="ask" />
                <span>{question}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** How to reach a person: an address of the web or of mail. */
function Contact({ context: { say, settings } }: { context: PanelContext }) {
  const { contact } = settings
  const address = contact.includes('://') ? readWebAddress(contact) : contact && `mailto:${contact}`
  return address ? (
    <a class="link" href={address} target="_blank" rel="noopener">
      {say('contact')}
    </a>
  ) : null
}

function useSearch(context: PanelContext, query: string): Found {
  const [found, setFound] = useState(nothing)
  const { say } = context
  useEffect(() => {
    if (query === '') {
      setFound(nothing)
      return
    }
    const searching = new AbortController()
    let tells: ReturnType<typeof setTimeout> | undefined
    const show = (next: Found) => {
      if (searching.signal.aborted) return
      setFound(next)
      tells = setTimeout(() => context.announcer.say(next.fault ?? countResults(say, next.hits.length)), tellMs)
    }
    const starts = setTimeout(() => {
      searchSite(context.requests, query, searching.signal).then(
        (hits) => show({ hits, fault: null }),
        (error: unknown) => show({ hits: [], fault: describeFault(context, error, 'searchFailed') }),
      )
    }, typingMs)
    return () => {
      searching.abort()
      clearTimeout(starts)
      clearTimeout(tells)
    }
  }, [query])
  return found
}

function countResults(say: Say, count: number): string {
  return count === 0 ? say('noResults') : say('resultCount', { count })
}

interface HitsProps {
  context: PanelContext
  hits: SearchHit[]
  query: string
  active: number
}

function Hits({ context, hits, query, active }: HitsProps) {
  const { say } = context
  return (
    <div role="group" aria-label={say('pages')}>
      <h3 role="presentation">{say('pages')}</h3>
      {hits.map(({ title, text, isSection, address }, index) => (
        <a
          key={`${index} ${address}`}
          id={`hit-${index + 1}`}
          class={isSection ? 'hit sub' : 'hit'}
          role="option"
          tabIndex={-1}
          aria-selected={active === index + 1}
          ref={(link) => setAddress(link, address, context)}
        >
          <Icon name={isSection ? 'section' : 'page'} />
          <span class="found">
            <b>{title}</b>
            <span class="text">{markWords(text, query)}</span>
          </span>
        </a>
      ))}
    </div>
  )
}

/** The text with the words of the query emphasized. */
function markWords(text: string, query: string) {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
  return text
    .split(/([\p{L}\p{N}]+)/u)
    .map((part) => (words.some((word) => part.toLowerCase().startsWith(word)) ? <em>{part}</em> : part))
}
