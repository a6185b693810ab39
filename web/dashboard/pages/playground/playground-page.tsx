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

const route = getRouteApi('/signed-in/$organization/$domain/playground')

/** The assistant as readers see it, and what they do not see of it. */
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
      <PageHeader title="Playground" action={mayTry ? <Button onClick={begin}>New conversation</Button> : null}>
        Answers as readers get them, by the same engine. Nothing here is stored or counted as a question; what it costs
        is.
      </PageHeader>
      {mayTry ? null : <Notice>Editors and owners try answers out.</Notice>}
      {mayTry && site.generation === null ? (
        <Notice>Nothing of this site is published yet. Its first sync has to end before.</Notice>
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

/** Answers of one conversation; people do not talk longer. */
const messagesMax = 200

const noMessages: PlaygroundMessage[] = []

/** Goes on with a conversation that was held. It is read once: what is tried here changes nothing of it. */
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
