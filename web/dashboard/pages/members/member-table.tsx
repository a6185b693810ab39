import { Ellipsis, UserMinus } from 'lucide-react'
import type { MemberResource, Role } from '../../../../src/contract/accounts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { Menu, MenuChoices, MenuItem } from '../../../ui/menu.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useSession } from '../../api/session.ts'
import classes from './members-page.module.css'
import { ListTable } from '../../shell/list-table.tsx'
import type { PagedList } from '../../api/use-pages.ts'
import { say } from '../../../words/say.ts'

export interface MemberTableProps {
  list: PagedList<MemberResource>
  /** Both omitted for users who may not change members. */
  onRole?: (member: MemberResource, role: Role) => void
  onRemove?: (member: MemberResource) => void
}

export const roleChoices = [
  { value: 'viewer', label: say('Viewer') },
  { value: 'editor', label: say('Editor') },
  { value: 'owner', label: say('Owner') },
] as const satisfies readonly { value: Role; label: string }[]

export function MemberTable({ list, onRole, onRemove }: MemberTableProps) {
  const { user } = useSession()
  const columns: [Column<MemberResource>, ...Column<MemberResource>[]] = [
    {
      title: say('Member'),
      sortBy: ({ name }) => name,
      render: ({ id, name, email }) => (
        <div className={classes.name}>
          <strong>
            {name} {id === user?.id ? <Badge>{say('You')}</Badge> : null}
          </strong>
          <span className={classes.muted}>{email ?? say('No email address yet')}</span>
        </div>
      ),
    },
    {
      title: say('Role'),
      sortBy: ({ role }) => role,
      render: ({ role }) => roleChoices.find(({ value }) => value === role)?.label ?? role,
    },
    {
      title: say('Joined'),
      sortBy: ({ createdAt }) => createdAt,
      render: ({ createdAt }) => <TimeText time={createdAt} />,
    },
    {
      title: say('Last signed in'),
      sortBy: ({ lastSignInAt }) => lastSignInAt,
      render: ({ lastSignInAt }) => (lastSignInAt === null ? say('Never') : <TimeText time={lastSignInAt} />),
    },
  ]
  if (onRole !== undefined && onRemove !== undefined) {
    columns.push({
      title: say('Actions'),
      isTitleHidden: true,
      align: 'end',
      render: (member) => (
        <Menu
          trigger={
            <IconButton size="small" label={say('Actions for {name}', { name: member.name })}>
              <Ellipsis size={17} aria-hidden />
            </IconButton>
          }
        >
          <MenuChoices
            label={say('Role')}
            value={member.role}
            choices={roleChoices}
            onValueChange={(role) => onRole(member, role)}
          />
          <MenuItem icon={<UserMinus size={16} aria-hidden />} isDangerous onSelect={() => onRemove(member)}>
            {say('Remove …')}
          </MenuItem>
        </Menu>
      ),
    })
  }
  return <ListTable list={list} caption={say('Members')} columns={columns} empty={null} />
}
