import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { operationAddress } from '../../../../src/client/create-client.ts'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FormActions } from '../../../ui/form.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useMay } from '../../api/session.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { SiteScope } from '../../shell/site-scope.tsx'
import classes from './conversation-page.module.css'
import { StoredMessage } from './stored-message.tsx'
import { receiptOperations } from '../../../../src/contract/operations/receipts.ts'
import { threadOperations } from '../../../../src/contract/operations/threads.ts'
import { call, queryOf } from '../../api/call.ts'
import type { ThreadMessage, Transcript } from '../../../../src/contract/threads.ts'
import { toTestFormOf } from '../tests/test-form.ts'
import { say, sayParts } from '../../../words/say.ts'

const route = getRouteApi('/signed-in/$organization/$domain/conversations/$thread')

/** Most answers shown of one conversation. */
const messagesMax = 200

/** A conversation: questions, answers, sources, verdicts and feedback. */
export function ConversationPage() {
  return <SiteScope>{(site) => <Conversation key={site.id} site={site} />}</SiteScope>
}

function Conversation({ site }: { site: SiteResource }) {
  const { thread, organization, domain } = route.useParams()
  const conversation = useQuery(
    queryOf(threadOperations.getThread, { params: { id: site.id, threadId: thread }, query: { limit: messagesMax } }),
  )
  return (
    <>
      <PageHeader title={say('Conversation')} action={<ConversationActions site={site} thread={thread} />}>
        {sayParts('With the assistant of {name}. <link>All conversations</link>', {
          name: site.name,
          link: (text) => (
            <Link to="/$organization/$domain/conversations" params={{ organization, domain }}>
              {text}
            </Link>
          ),
        })}
      </PageHeader>
      <Loaded query={conversation}>{(transcript) => <TranscriptView site={site} transcript={transcript} />}</Loaded>
    </>
  )
}

function TranscriptView({ site, transcript }: { site: SiteResource; transcript: Transcript }) {
  const { id, fp, createdAt, messages, nextCursor } = transcript
  return (
    <>
      <Facts
        facts={[
          [say('Reader'), fp],
          [say('Started'), <TimeText key="time" time={createdAt} />],
          ['ID', <code key="id">{id}</code>],
        ]}
      />
      <ol className={classes.messages} aria-label={say('Messages')}>
        {messages.map((message, place) => (
          <li key={message.id}>
            <StoredMessage message={message} receipt={receiptAddress(site.id, id, message.id)}>
              <TestLinks site={site} question={messages[place - 1]?.text ?? ''} answer={message} />
            </StoredMessage>
          </li>
        ))}
      </ol>
      {nextCursor === null ? null : <p className={classes.muted}>{say('Later messages are not shown.')}</p>}
    </>
  )
}

/** Ways to turn a question and its answer into a test, for those who may. */
function TestLinks({ site, question, answer }: { site: SiteResource; question: string; answer: ThreadMessage }) {
  const { organization, domain } = route.useParams()
  if (!useMay('editor') || question === '') return null
  const { verdict, sources, asked } = answer
  const { pages } = toTestFormOf({ question, verdict, sources, version: asked?.version ?? null }, site.url)
  const link = { to: '/$organization/$domain/tests', params: { organization, domain } } as const
  return (
    <>
      {' · '}
      <Link {...link} search={{ question, pages }}>
        {say('Make a test')}
      </Link>
      {' · '}
      <Link {...link} search={{ question, correct: true }}>
        {say('Correct the answer')}
      </Link>
    </>
  )
}

function receiptAddress(id: string, threadId: string, messageId: string): string {
  return operationAddress(receiptOperations.getAnswerReceipt, { params: { id, threadId, messageId } })
}

function ConversationActions({ site, thread }: { site: SiteResource; thread: string }) {
  const params = route.useParams()
  const isOwner = useMay('owner')
  const mayTry = useMay('editor')
  return (
    <FormActions>
      {mayTry ? (
        <Link className={buttonLook()} to="/$organization/$domain/playground" params={params} search={{ thread }}>
          {say('Open in the playground')}
        </Link>
      ) : null}
      {isOwner ? <DeleteButton site={site} thread={thread} /> : null}
    </FormActions>
  )
}

function DeleteButton({ site, thread }: { site: SiteResource; thread: string }) {
  const [asked, setAsked] = useState<string | null>(null)
  const navigate = route.useNavigate()
  const params = route.useParams()
  const remove = useChange({
    send: (threadId: string) => call(threadOperations.deleteThread, { params: { id: site.id, threadId } }),
    done: say('Conversation deleted.'),
    stale: ['listThreads'],
    onDone: () => navigate({ to: '/$organization/$domain/conversations', params }),
  })
  return (
    <>
      <Button onClick={() => setAsked(thread)}>
        <Trash2 size={16} aria-hidden /> {say('Delete …')}
      </Button>
      <ConfirmChange
        title={say('Delete this conversation?')}
        action={say('Delete')}
        change={remove}
        input={asked}
        onClose={() => setAsked(null)}
      >
        {say('Its messages and the feedback on them are deleted. This cannot be undone.')}
      </ConfirmChange>
    </>
  )
}
