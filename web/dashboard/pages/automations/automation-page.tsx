import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Pencil, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { AutomationResource } from '../../../../src/contract/automations.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FormActions } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useMay, useSession } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { AutomationDialog } from './automation-dialog.tsx'
import { describeTrigger } from './automation-form.ts'
import { AutomationBadge } from './automations-page.tsx'
import classes from './automation-page.module.css'
import { AutomationRuns } from './automation-runs.tsx'
import { automationOperations } from '../../../../src/contract/operations/automations.ts'
import { call, queryOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

/** An automation and its runs. */
export function AutomationPage() {
  const { automationId: id = '' } = useParams({ strict: false })
  const automation = useQuery(queryOf(automationOperations.getAutomation, { params: { id } }))
  const sites = useQuery(sitesQuery)
  return (
    <Loaded query={automation}>
      {(automation) => (
        <Loaded query={sites}>{(sites) => <AutomationView automation={automation} sites={sites} />}</Loaded>
      )}
    </Loaded>
  )
}

interface AutomationViewProps {
  automation: AutomationResource
  sites: readonly SiteResource[]
}

function AutomationView({ automation, sites }: AutomationViewProps) {
  const { id, name, prompt, trigger, nextRunAt, failure } = automation
  const site = sites.find((site) => site.id === automation.siteId)
  return (
    <>
      <PageHeader title={name} action={<AutomationActions automation={automation} sites={sites} />} />
      {failure === null ? null : <Notice tone="danger">{failure}</Notice>}
      <Facts
        facts={[
          [say('State'), <AutomationBadge key="state" automation={automation} />],
          [say('Site'), site?.name ?? say('Deleted site')],
          [say('Trigger'), describeTrigger(trigger)],
          [say('Next run'), nextRunAt === null ? '–' : <TimeText key="next" time={nextRunAt} />],
          [
            say('Open pull requests'),
            say('{openPullRequestsMax} at most', { openPullRequestsMax: automation.openPullRequestsMax }),
          ],
          [say('Runs per day'), say('{runsPerDayMax} at most', { runsPerDayMax: automation.runsPerDayMax })],
        ]}
      />
      <Section title={say('Instructions')}>
        <p className={classes.prompt}>{prompt}</p>
      </Section>
      <Section title={say('Runs')}>
        <AutomationRuns id={id} />
      </Section>
    </>
  )
}

function AutomationActions({ automation, sites }: AutomationViewProps) {
  const [mayRun, isOwner] = [useMay('editor'), useMay('owner')]
  const [asks, setAsks] = useState<'change' | 'delete' | null>(null)
  const run = useChange({
    send: () => call(automationOperations.runAutomation, { params: { id: automation.id } }),
    done: say('Run started.'),
    stale: ['listAutomationRuns'],
    hasFailureToast: true,
  })
  const close = () => setAsks(null)
  return (
    <FormActions>
      {mayRun ? (
        <Button look="primary" isBusy={run.isPending} onClick={() => run.mutate()}>
          <Play size={16} aria-hidden /> {say('Run now')}
        </Button>
      ) : null}
      {isOwner ? (
        <>
          <Button onClick={() => setAsks('change')}>
            <Pencil size={16} aria-hidden /> {say('Edit')}
          </Button>
          <Button onClick={() => setAsks('delete')}>
            <Trash2 size={16} aria-hidden /> {say('Delete')}
          </Button>
          <AutomationDialog sites={sites} automation={automation} isOpen={asks === 'change'} onClose={close} />
          <DeleteDialog automation={automation} isOpen={asks === 'delete'} onClose={close} />
        </>
      ) : null}
    </FormActions>
  )
}

interface DeleteDialogProps {
  automation: AutomationResource
  isOpen: boolean
  onClose(): void
}

function DeleteDialog({ automation, isOpen, onClose }: DeleteDialogProps) {
  const { organization } = useSession()
  const navigate = useNavigate()
  const remove = useChange({
    send: (id: string) => call(automationOperations.deleteAutomation, { params: { id } }),
    done: say('Deleted {name}.', { name: automation.name }),
    stale: ['listAutomations'],
    onDone: () => navigate({ to: '/$organization/automations', params: { organization: organization.id } }),
  })
  return (
    <ConfirmChange
      title={say('Delete {name}?', { name: automation.name })}
      action={say('Delete')}
      change={remove}
      input={isOpen ? automation.id : null}
      onClose={onClose}
    >
      {say('It stops running, and its run history is deleted. Its jobs and pull requests stay.')}
    </ConfirmChange>
  )
}
