import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { objectOperations } from '../../../../src/contract/operations/objects.ts'
import { useTheme } from '../../../ui/theme.ts'
import { queryOf } from '../../api/call.ts'
import { hasRole, useSession } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { changeLanguage } from '../../../words/language.ts'
import { useSignOut } from '../user-menu.tsx'
import { listActionCommands, placedActions } from './action-commands.ts'
import type { Command } from './command.ts'
import { toObjectCommand } from './object-commands.ts'
import { type CommandContext, listPageCommands, listPageRoutes, type PageRoute } from './page-commands.ts'
import { listActionsOnPage, listWindowCommands } from './window-commands.ts'

export interface CommandList {
  /** Actions on the page that is shown. */
  onPage: Command[]
  all: Command[]
}

/** Every command. Of the objects, those that the service finds for the query, and the newest. */
export function useCommands(query: string, showShortcuts: () => void): CommandList {
  const context = useCommandContext()
  const router = useRouter()
  const newest = useQuery(queryOf(objectOperations.findObjects, { query: {} })).data
  const found = useFoundObjects(query)
  const [, setTheme] = useTheme()
  const signOut = useSignOut()
  const onPage = useMemo(listActionsOnPage, [])
  const places = useMemo(() => listPlaceCommands(router, context), [router, context])
  const ofWindow = listWindowCommands({ setTheme, setLanguage: changeLanguage, signOut, showShortcuts }, context.sites)
  const objects = [...(found?.items ?? []), ...(newest?.items ?? [])].map((each) => toObjectCommand(each, context))
  const all = new Map([...places, ...ofWindow, ...objects].map((command) => [command.id, command]))
  return { onPage, all: [...all.values()] }
}

/** Pages and actions. The page of a form is listed as the action that it is. */
export function listPlaceCommands(router: AnyRouter, context: CommandContext): Command[] {
  const isForm = ({ to }: PageRoute) => placedActions.some((action) => action.to === to && action.isPage === true)
  const pages = listPageRoutes(router).filter((route) => !isForm(route))
  return [...listPageCommands(pages, context), ...listActionCommands(context)]
}

function useCommandContext(): CommandContext {
  const router = useRouter()
  const { user, organization } = useSession()
  const { data: sites = noSites } = useQuery(sitesQuery)
  return useMemo(
    () => ({
      organizationId: organization.id,
      sites,
      may: (role) => hasRole(user, role),
      // The targets are routes of this router.
      go: (target) => router.navigate(target as never),
    }),
    [router, user, organization.id, sites],
  )
}

const noSites: CommandContext['sites'] = []

/** Long enough to finish a word. */
const typingMs = 150

function useFoundObjects(query: string) {
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(query.trim().slice(0, 200)), typingMs)
    return () => clearTimeout(timer)
  }, [query])
  const options = queryOf(objectOperations.findObjects, { query: { search } })
  return useQuery({ ...options, enabled: search.length > 1, placeholderData: keepPreviousData }).data
}
