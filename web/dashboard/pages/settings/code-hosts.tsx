import { useQuery } from '@tanstack/react-query'
import { GitBranch, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { CodeHostAppResource } from '../../../../src/contract/code-host-apps.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { ConnectedSites } from './connected-sites.tsx'
import { NewAppDialog } from './new-app-dialog.tsx'
import classes from './settings-page.module.css'
import { codeHostAppOperations } from '../../../../src/contract/operations/code-host-apps.ts'
import { call, listOf } from '../../api/call.ts'
import { say, sayParts } from '../../../words/say.ts'

/** The organization's GitHub Apps, and the sites that are read from code hosts. */
export function CodeHosts({ made }: { made: string | null }) {
  const apps = useQuery(listOf(codeHostAppOperations.listCodeHostApps))
  const [isMaking, setMaking] = useState(false)
  const [removed, setRemoved] = useState<CodeHostAppResource | null>(null)
  return (
    <div className={classes.parts}>
      <Section
        title={say('GitHub Apps')}
        description={say(
          'An App gives access to repositories without a token per site. GitLab, Gitea and Forgejo need a token for each site.',
        )}
        action={
          <Button
            look="primary"
            data-command={codeHostAppOperations.createCodeHostApp.id}
            onClick={() => setMaking(true)}
          >
            <Plus size={16} aria-hidden /> {say('Create GitHub App')}
          </Button>
        }
      >
        <Loaded query={apps}>
          {(apps) => (
            <>
              <MadeNotice app={apps.find(({ slug }) => slug === made)} />
              {apps.length === 0 ? (
                <EmptyState icon={<GitBranch aria-hidden />} title={say('No Apps yet')}>
                  {say('Create one on GitHub in the browser, with only the permissions that Docent needs.')}
                </EmptyState>
              ) : (
                <AppTable apps={apps} onRemove={setRemoved} />
              )}
            </>
          )}
        </Loaded>
      </Section>
      <ConnectedSites />
      <NewAppDialog isOpen={isMaking} onClose={() => setMaking(false)} />
      <RemoveAppDialog app={removed} onClose={() => setRemoved(null)} />
    </div>
  )
}

function MadeNotice({ app }: { app: CodeHostAppResource | undefined }) {
  if (app === undefined) return null
  return (
    <Notice tone="success">
      {sayParts(
        'The App {slug} has been added. Now <link>install it on the repositories</link> that Docent should read.',
        { slug: app.slug, link: (text) => <ExternalLink href={app.installUrl}>{text}</ExternalLink> },
      )}
    </Notice>
  )
}

interface AppTableProps {
  apps: readonly CodeHostAppResource[]
  onRemove(app: CodeHostAppResource): void
}

function AppTable({ apps, onRemove }: AppTableProps) {
  const columns: [Column<CodeHostAppResource>, ...Column<CodeHostAppResource>[]] = [
    {
      title: say('App'),
      render: ({ slug, appId }) => (
        <div className={classes.stack}>
          <strong>{slug}</strong>
          <span>{say('App ID {appId}', { appId })}</span>
        </div>
      ),
    },
    { title: say('Host'), render: ({ origin }) => origin },
    { title: say('Webhooks'), render: ({ hasWebhookSecret }) => (hasWebhookSecret ? say('Signed') : say('None')) },
    {
      title: say('Commits'),
      render: ({ hasVerifiedCommits }) => (hasVerifiedCommits ? say('Signed by GitHub') : say('By git')),
    },
    { title: say('Added'), render: ({ createdAt }) => <TimeText time={createdAt} /> },
    {
      title: say('Repositories'),
      render: ({ installUrl }) => <ExternalLink href={installUrl}>{say('Install on more')}</ExternalLink>,
    },
    {
      title: say('Actions'),
      isTitleHidden: true,
      align: 'end',
      render: (app) => (
        <IconButton size="small" label={say('Remove {slug}', { slug: app.slug })} onClick={() => onRemove(app)}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      ),
    },
  ]
  return <DataTable caption={say('GitHub Apps')} columns={columns} rows={apps} keyOf={({ id }) => id} />
}

function RemoveAppDialog({ app, onClose }: { app: CodeHostAppResource | null; onClose(): void }) {
  const remove = useChange({
    send: (id: string) => call(codeHostAppOperations.deleteCodeHostApp, { params: { id } }),
    stale: ['listCodeHostApps'],
  })
  return (
    <ConfirmChange
      title={say('Remove {slug}?', { slug: app?.slug ?? '' })}
      action={say('Remove')}
      change={remove}
      input={app?.id ?? null}
      onClose={onClose}
    >
      {say('Sites that use it can no longer be read. The App remains on GitHub: delete it there as well.')}
    </ConfirmChange>
  )
}
