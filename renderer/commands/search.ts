/**
 * Ranks commands by the typed text: whole words first, then beginnings of words, then letters in order. Commands that lack a letter are
 * omitted.
 */

export function rankCommands<T extends { readonly label: string }>(entries: readonly T[], query: string): readonly T[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return entries
  return entries
    .map((entry, order) => ({ entry, order, score: scoreOf(entry.label.toLowerCase(), wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .map(({ entry }) => entry)
}

function scoreOf(label: string, wanted: string): number {
  const at = label.indexOf(wanted)
  if (at === 0) return 1000
  if (at > 0) return (/\W/.test(label[at - 1]!) ? 900 : 800) - Math.min(99, at)
  const words = wanted.split(/\s+/)
  if (words.length > 1 && words.every(word => label.includes(word))) return 500
  return inOrder(label, wanted.replace(/\s+/g, '')) ? 100 : 0
}

function inOrder(label: string, letters: string): boolean {
  let from = 0
  for (const letter of letters) {
    const at = label.indexOf(letter, from)
    if (at < 0) return false
    from = at + 1
  }
  return true
}
