/** From nothing to a site that readers ask on their own pages. */
export const setupSteps = ['Source', 'Name', 'First sync', 'Put it live'] as const
