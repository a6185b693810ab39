import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Bookmark, ChevronDown, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { insightViewOperations } from '../../../../src/contract/operations/insight-views.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Menu, MenuGroup, MenuItem } from '../../../ui/menu.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { call, type ItemOf, queryOf } from '../../api/call.ts'
import { useSession } from '../../api/session.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useChange } from '../../forms/use-change.ts'
import { useForm } from '../../forms/use-form.ts'
import { readInsightsSearch } from './insights-search.ts'
import { useInsightsSearch } from './use-insights.ts'
import { say } from '../../../words/say.ts'

type SavedView = ItemOf<typeof insightViewOperations.listSavedViews>

const nameCharsMax = 100

/** The member's own views, and the current state as an unsaved one. */
export function ViewsMenu() {
  const [isSaving, setIsSaving] = useState(false)
  const { organization } = useSession()
  const navigate = useNavigate()
  const shown = useShownQuery()
  const views = useQuery(queryOf(insightViewOperations.listSavedViews)).data?.items ?? []
  const current = views.find(({ query }) => query === shown)
  const remove = useRemoval()
  const open = ({ query }: SavedView) =>
    navigate({
      to: '/$organization/insights',
      params: { organization: organization.id },
      search: readInsightsSearch(Object.fromEntries(new URLSearchParams(query))),
    })
  return (
    <>
      <Menu
        trigger={
          <Button>
            <Bookmark size={16} aria-hidden /> {current?.name ?? say('Views')} <ChevronDown size={14} aria-hidden />
          </Button>
        }
      >
        {views.length === 0 ? null : (
          <MenuGroup label={say('Your views')}>
            {views.map((view) => (
              <MenuItem key={view.id} onSelect={() => void open(view)}>
                {view.name}
              </MenuItem>
            ))}
          </MenuGroup>
        )}
        {current === undefined ? (
          <MenuItem icon={<Plus size={16} aria-hidden />} onSelect={() => setIsSaving(true)}>
            {say('Save this view')}
          </MenuItem>
        ) : (
          <MenuItem icon={<Trash2 size={16} aria-hidden />} isDangerous onSelect={() => remove.mutate(current)}>
            {say('Delete this view')}
          </MenuItem>
        )}
      </Menu>
      <Dialog title={say('Save this view')} isOpen={isSaving} onClose={() => setIsSaving(false)}>
        <SaveForm query={shown} onClose={() => setIsSaving(false)} />
      </Dialog>
    </>
  )
}

/** What the address says, on the page of all sites. Where one is in a list is no part of a view. */
function useShownQuery(): string {
  const { domain } = useParams({ strict: false })
  const { cursor: _, gap: __, ...search } = useInsightsSearch().search
  const given = Object.entries({ ...search, ...(domain !== undefined && { site: domain }) })
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
}

const save = (view: Pick<SavedView, 'name' | 'query'>) => call(insightViewOperations.createSavedView, { body: view })

function useRemoval() {
  return useChange({
    send: ({ id }: SavedView) => call(insightViewOperations.deleteSavedView, { params: { id } }),
    stale: ['listSavedViews'],
    done: say('View deleted.'),
    undo:
      (_, { name, query }) =>
      () =>
        save({ name, query }),
    hasFailureToast: true,
  })
}

function SaveForm({ query, onClose }: { query: string; onClose(): void }) {
  const form = useForm({
    initial: { name: '' },
    send: ({ name }) => save({ name, query }),
    stale: ['listSavedViews'],
    done: say('View saved.'),
    onDone: onClose,
  })
  return (
    <FormView form={form} action={say('Save view')} onCancel={onClose}>
      <TextField
        label={say('Name')}
        required
        autoFocus
        maxLength={nameCharsMax}
        placeholder={say('Unanswered this week')}
        description={say('Only you can see it. It replaces a view with the same name.')}
        {...form.field('name', say('The name'))}
      />
    </FormView>
  )
}
