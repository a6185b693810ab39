/** @jsxImportSource preact */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { AnswerText as CitedText } from '../../../packages/docent-client/src/answer-texts.ts'
import { linkCitations, readCitationLink } from '../../../packages/docent-client/src/cited-pieces.ts'
import type { Citation } from '../../../packages/docent-client/src/generated/wire-types.ts'
import { listHeadings, readWebAddress } from '../../citations/describe-citation.ts'
import { describeBlock } from './announcer.ts'
import { dropSourceLinks } from './drop-source-links.ts'
import { followCitation, setAddress } from './follow-link.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { type PanelContext, showEvidence } from './panel-context.ts'
import { keepWithWord } from './place-citation.ts'

interface AnswerTextProps {
  context: PanelContext
  cited: CitedText
  /** Position of the turn, and of the text within it. */
  place: { turn: number; text: number }
  isWhole: boolean
  /** Addresses of the sources that are listed below. */
  sources: readonly string[]
  /** False for answers that were there before the panel. */
  isSaid: boolean
}

/** A text of an answer, with the numbers of its sources. Its elements are made by hand: they grow, and are never compared. */
export function AnswerText({ context, cited, place, isWhole, sources, isSaid }: AnswerTextProps) {
  const area = useRef<HTMLDivElement>(null)
  const writer = useRef<MarkdownWriter>(null)
  const citations = useRef<Citation[]>([])
  const said = useRef(isSaid ? 0 : Infinity)
  citations.current = cited.citations

  useLayoutEffect(() => {
    const root = area.current
    if (!root) return
    writer.current ??= new MarkdownWriter(root, {
      say: context.say,
      decorate: (link, address) => decorate(link, address, citations.current, context),
    })
    writer.current.write(linkCitations(cited), isWhole)
    if (isWhole) dropSourceLinks(root, sources)
    const { evidence } = context
    const isShown = (index: string | undefined) =>
      evidence?.turn === place.turn && evidence.text === place.text && `${evidence.citation}` === index
    for (const link of root.querySelectorAll<HTMLElement>('.cite')) {
      link.classList.toggle('lit', isShown(link.dataset['citation']))
    }
    const blocks = [...root.children].slice(0, isWhole ? undefined : -1)
    for (const block of blocks.slice(said.current)) context.announcer.say(describeBlock(context.say, block))
    said.current = Math.max(said.current, blocks.length)
  })

  const readIndex = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLElement>('.cite') : null
    return link ? Number(link.dataset['citation']) : null
  }
  const show = (event: Event) => {
    const citation = readIndex(event)
    if (citation !== null) showEvidence(context, { ...place, citation })
  }
  const pointer = useRef('')
  return (
    <div
      ref={area}
      class="answer"
      onPointerOver={show}
      onFocusIn={show}
      onPointerDown={(event) => (pointer.current = event.pointerType)}
      onClick={(event) => {
        const index = readIndex(event)
        const citation = index === null ? undefined : citations.current[index]
        if (!citation) return
        // A tap shows the passage, which has a link of its own.
        if (pointer.current === 'touch') event.preventDefault()
        else followCitation(event, citation, context)
        show(event)
      }}
    />
  )
}

function decorate(
  link: HTMLAnchorElement,
  address: string,
  citations: readonly Citation[],
  context: PanelContext,
): void {
  const index = readCitationLink(address)
  const citation = index === null ? undefined : citations[index]
  if (!citation) {
    setAddress(link, address, context)
    return
  }
  keepWithWord(link)
  link.className = 'cite'
  link.dataset['citation'] = String(index)
  link.setAttribute(
    'aria-label',
    context.say('sourceAt', { number: citation.number, place: listHeadings(citation).join(', ') }),
  )
  setAddress(link, readWebAddress(citation.url) ?? '#', context)
}
