import { makeInvitation, MemberBrowser } from './member-browser.ts'
import { keepSession, type KeptSession, owner } from './open-dashboard.ts'
import type { Docent } from './start-docent.ts'

export interface InvitedMember {
  role: 'viewer' | 'editor' | 'owner'
  name: string
}

/** Invites a member and accepts, without a browser. @returns The session of the new member. */
export async function acceptInvitation(docent: Docent, { role, name }: InvitedMember): Promise<KeptSession> {
  const asOwner = new MemberBrowser(docent.url)
  await asOwner.signIn(owner.email, owner.password)
  const { token } = await makeInvitation(asOwner, role)
  const browser = new MemberBrowser(docent.url)
  const person = { name, email: `${role}@example.com`, password: invitedPassword }
  const accepted = await browser.accept(token, person)
  if (!accepted.ok) throw new Error(await accepted.text())
  return keepSession(browser, docent)
}

const invitedPassword = 'nine quiet lanterns glow'
