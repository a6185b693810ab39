/** @jsxImportSource preact */
import { IconButton } from './icon.tsx'
import type { PanelContext } from './panel-context.ts'

const charsMax = 120

/** What of the page goes with the next question, and how to leave it out. */
export function SubjectChip({ context: { subject, say } }: { context: PanelContext }) {
  if (subject.current === null) return null
  const { type, value } = subject.current
  return (
    <div class="subject">
      <span>{say(type === 'code' ? 'aboutCode' : 'aboutSelection')}</span>
      <q>{value.slice(0, charsMax)}</q>
      <IconButton icon="close" label={say('leaveOut')} isSmall onClick={() => (subject.current = null)} />
    </div>
  )
}
