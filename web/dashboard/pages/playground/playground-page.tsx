import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useMay } from '../../api/session.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { SiteScope } from '../../shell/site-scope.tsx'
import { Chat } from './chat.tsx'
import { type PlaygroundMessage, toMessages } from './playground-message.ts'
import { threadOperations } from '../../../../src/contract/operations/threads.ts'
import { queryOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

const route = getRouteApi('/signed-in/$organization/$domain/playground')

/** The assistant as readers see it, plus what they do not see. */
export function PlaygroundPage() {
  return <SiteScope>{(site) => <Playground key={site.id} site={site} />}</SiteScope>
}

function Playground({ site }: { site: SiteResource }) {
  const { thread } = route.useSearch()
  const navigate = route.useNavigate()
  const mayTry = useMay('editor')
  const [round, setRound] = useState(0)
  const begin = () => {
    setRound(round + 1)
    void navigate({ search: {} })
  }
  return (
    <>
      <PageHeader
        title={say('Playground')}
        action={mayTry ? <Button onClick={begin}>{say('New conversation')}</Button> : null}
      >
        {say(
          'The same answers readers get. Conversations here are not stored or counted as reader questions, but their cost counts.',
        )}
      </PageHeader>
      {mayTry ? null : <Notice>{say('Only editors and owners can use the playground.')}</Notice>}
      {mayTry && site.generation === null ? (
        <Notice>{say('This site is not published yet. Wait for its first sync to finish.')}</Notice>
      ) : null}
      {mayTry && site.generation !== null ? (
        thread === undefined ? (
          <Chat key={round} site={site} initial={noMessages} />
        ) : (
          <StoredChat key={thread} site={site} threadId={thread} />
        )
      ) : null}
    </>
  )
}

/** Most answers loaded of one conversation. */
const messagesMax = 200

const noMessages: PlaygroundMessage[] = []

/** Continues a copy of a stored conversation. Read once: new questions do not change the original. */
function StoredChat({ site, threadId }: { site: SiteResource; threadId: string }) {
  const conversation = useQuery({
    ...queryOf(threadOperations.getThread, { params: { id: site.id, threadId }, query: { limit: messagesMax } }),
    staleTime: Infinity,
  })
  return (
    <Loaded query={conversation}>
      {(transcript) => <Chat site={site} initial={toMessages(transcript)} threadId={threadId} />}
    </Loaded>
  )
}
