export const sharedViewWords = {
  'Shared numbers': 'Geteilte Zahlen',
  'All sites of {organization}': 'Alle Websites von {organization}',
  'Hours and days are UTC. This link expires {expiresAt}.':
    'Stunden und Tage sind UTC. Dieser Link läuft ab: {expiresAt}.',
  'Questions: {value}': 'Fragen: {value}',
}
