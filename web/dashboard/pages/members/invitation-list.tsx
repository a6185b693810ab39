import type { InvitationResource } from '../../../../src/contract/accounts.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useChange } from '../../forms/use-change.ts'
import { accountOperations } from '../../../../src/contract/operations/accounts.ts'
import { usePages } from '../../api/use-pages.ts'
import { ListTable } from '../../shell/list-table.tsx'
import { call } from '../../api/call.ts'
import { Section } from '../../../ui/section.tsx'
import { roleNames } from '../../api/role-names.ts'
import { say } from '../../../words/say.ts'

const states: Readonly<Record<InvitationResource['state'], { tone: Tone; label: string }>> = {
  open: { tone: 'accent', label: say('Open') },
  used: { tone: 'success', label: say('Used') },
  revoked: { tone: 'neutral', label: say('Revoked') },
  expired: { tone: 'warning', label: say('Expired') },
}

export function InvitationList() {
  const list = usePages(accountOperations.listInvitations, {}, { rowsOfPage: 50 })
  const revoke = useChange({
    send: (id: string) => call(accountOperations.revokeInvitation, { params: { id } }),
    stale: ['listInvitations'],
    hasFailureToast: true,
  })
  if (list.isFirst && list.query.data?.items.length === 0) return null
  return (
    <Section title={say('Invitations')}>
      <ListTable
        list={list}
        caption={say('Invitations')}
        columns={listColumns(revoke.mutate)}
        empty={null}
        isDimmed={({ state }) => state !== 'open'}
      />
    </Section>
  )
}

function listColumns(onRevoke: (id: string) => void): [Column<InvitationResource>, ...Column<InvitationResource>[]] {
  return [
    { title: say('For'), render: ({ email }) => email ?? say('Anyone with the link') },
    { title: say('Role'), render: ({ role }) => roleNames[role] },
    { title: say('Invited by'), render: ({ invitedBy }) => invitedBy },
    { title: say('Expires'), render: ({ expiresAt }) => <TimeText time={expiresAt} /> },
    { title: say('State'), render: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge> },
    {
      title: say('Actions'),
      isTitleHidden: true,
      align: 'end',
      render: ({ id, state, email }) =>
        state === 'open' ? (
          <Button
            size="small"
            aria-label={
              email === null ? say('Revoke the invitation') : say('Revoke the invitation of {email}', { email })
            }
            onClick={() => onRevoke(id)}
          >
            {say('Revoke')}
          </Button>
        ) : null,
    },
  ]
}
