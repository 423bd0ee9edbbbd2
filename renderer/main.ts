import { createPinia } from 'pinia'
import { createApp, watch } from 'vue'
import App from './App.vue'
import { registerCommands } from './commands'
import { useCommands } from './commands/registry'
import { serveFilms } from './film/serve'
import { connectHost } from './host'
import { filmQuery } from '../main/protocol/render'
import { startEditor } from './start'
import { setHost } from './state/host'
import { webDialogs } from './dialogs/web-dialogs'
import './styles/tokens.css'
import './styles/base.css'
import './styles/menu.css'
import './styles/tool-bar.css'
import './styles/dock.css'

const app = createApp(App)
app.use(createPinia())

const { host, menu } = await connectHost(webDialogs)
setHost(host)
registerCommands()
app.mount('#app')
void startEditor(host)
if (new URLSearchParams(location.search).has(filmQuery)) void serveFilms()

if (menu) {
  const commands = useCommands()
  menu.onCommand(id => void commands.run(id))
  watch(() => commands.all.filter(command => command.menu).map(command => ({
    id: command.id, label: commands.labelOf(command), menu: command.menu!, group: command.submenu ?? command.group, shortcut: commands.keysOf(command)[0],
    enabled: commands.isEnabled(command), checked: command.checked?.(),
  })), entries => menu.set(entries), { immediate: true })
}
