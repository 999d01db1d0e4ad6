/** The page of the preview: a list of all mails, and the chosen one on a phone, on a screen, and as text. */
export const previewPage = (names: string[], startedAt: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mails</title>
<style>
body { margin: 0; display: grid; grid-template-columns: 240px 1fr; font: 14px/1.5 system-ui, sans-serif; }
nav { padding: 16px; height: 100vh; overflow: auto; box-sizing: border-box; border-right: 1px solid #ccc; }
nav a { display: block; padding: 4px 0; }
main { display: flex; gap: 16px; padding: 16px; height: 100vh; box-sizing: border-box; overflow: auto; }
iframe { flex: none; height: 100%; border: 1px solid #ccc; }
</style></head>
<body><nav>${names.map((name) => `<a href="#${encodeURIComponent(name)}">${name}</a>`).join('')}</nav>
<main><iframe title="390 pixels wide" width="390"></iframe><iframe title="700 pixels wide" width="700"></iframe>
<iframe title="As text" width="520"></iframe></main>
<script>
const frames = document.querySelectorAll('iframe')
function show() {
  const name = location.hash.slice(1) || ${JSON.stringify(encodeURIComponent(names[0] ?? ''))}
  frames[0].src = frames[1].src = '/mails/' + name
  frames[2].src = '/texts/' + name
}
addEventListener('hashchange', show)
show()
setInterval(async () => {
  const response = await fetch('/started-at').catch(() => undefined)
  if (response && (await response.text()) !== '${startedAt}') location.reload()
}, 1_000)
</script></body></html>`
