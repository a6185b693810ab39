import type { Page } from 'playwright-core'
import { MemberBrowser } from './member-browser.ts'
import { owner } from './open-dashboard.ts'
import type { Docent } from './start-docent.ts'

export interface InvitedMember {
  role: 'viewer' | 'editor' | 'owner'
  name: string
}

/** Invites somebody, who accepts in the browser of the page and stands on the overview then. */
export async function acceptInvitation(docent: Docent, page: Page, { role, name }: InvitedMember): Promise<void> {
  const asOwner = new MemberBrowser(docent.url)
  await asOwner.signIn(owner.email, owner.password)
  const invited = await asOwner.send('POST', '/admin/v1/invitations', { role })
  const { url } = (await invited.json()) as { url: string }
  await page.goto(`${docent.url}/dashboard/accept${new URL(url).search}`)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('E-mail').fill(`${role}@example.com`)
  await page.getByLabel('Password').fill(invitedPassword)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'Sites' }).waitFor()
}

export const invitedPassword = 'nine quiet lanterns glow'
