/** Made by web/words.ts. */
declare module 'virtual:words' {
  const loaders: Record<string, () => Promise<{ default: Record<string, string>; terms: Record<string, Record<string, string>> }>>
  export default loaders
}
