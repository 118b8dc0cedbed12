/** Characters by the short names that GitHub and Gitea give them. Other names stay as they are written. */
const NAMES = `
+1 👍 -1 👎 thumbsup 👍 thumbsdown 👎 laughing 😆 smile 😄 smiley 😃 grin 😁 joy 😂 rofl 🤣 wink 😉 blush 😊 slightly_smiling_face 🙂 upside_down_face 🙃 heart_eyes 😍
thinking 🤔 neutral_face 😐 expressionless 😑 confused 😕 worried 😟 cry 😢 sob 😭 scream 😱 angry 😠 rage 😡 tired_face 😫 sleeping 😴 sunglasses 😎 nerd_face 🤓 shrug 🤷 facepalm 🤦
tada 🎉 hooray 🎉 confetti_ball 🎊 heart ❤️ broken_heart 💔 rocket 🚀 eyes 👀 fire 🔥 star ⭐ star2 🌟 sparkles ✨ zap ⚡ boom 💥 100 💯 clap 👏 wave 👋 pray 🙏 muscle 💪 raised_hands 🙌 ok_hand 👌
point_up ☝️ point_down 👇 point_left 👈 point_right 👉 handshake 🤝 bug 🐛 ant 🐜 bee 🐝 snail 🐌 turtle 🐢 whale 🐳 penguin 🐧 cat 🐱 dog 🐶 unicorn 🦄 crab 🦀 snake 🐍 ghost 👻 robot 🤖 skull 💀 alien 👽
warning ⚠️ no_entry ⛔ no_entry_sign 🚫 x ❌ heavy_check_mark ✔️ white_check_mark ✅ ballot_box_with_check ☑️ question ❓ exclamation ❗ bangbang ‼️ information_source ℹ️ construction 🚧 rotating_light 🚨
lock 🔒 unlock 🔓 key 🔑 bulb 💡 memo 📝 pencil2 ✏️ book 📖 books 📚 bookmark 🔖 link 🔗 paperclip 📎 pushpin 📌 mag 🔍 wrench 🔧 hammer 🔨 gear ⚙️ package 📦 art 🎨 lipstick 💄 recycle ♻️ wastebasket 🗑️
chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 calendar 📆 clock1 🕐 hourglass ⌛ alarm_clock ⏰ email 📧 bell 🔔 mute 🔇 speech_balloon 💬 computer 💻 iphone 📱 globe_with_meridians 🌐 house 🏠
arrow_up ⬆️ arrow_down ⬇️ arrow_left ⬅️ arrow_right ➡️ arrows_counterclockwise 🔄 rewind ⏪ fast_forward ⏩ red_circle 🔴 green_circle 🟢 yellow_circle 🟡 blue_circle 🔵 white_circle ⚪ black_circle ⚫
coffee ☕ beer 🍺 beers 🍻 pizza 🍕 cake 🍰 cookie 🍪 apple 🍎 trophy 🏆 medal_sports 🏅 gift 🎁 balloon 🎈 sunny ☀️ cloud ☁️ umbrella ☔ snowflake ❄️ rainbow 🌈 seedling 🌱 evergreen_tree 🌲 herb 🌿`

const words = NAMES.trim().split(/\s+/)

export const CHARACTERS: ReadonlyMap<string, string> = new Map(
  words.flatMap((name, i) => (i % 2 === 0 ? [[name, words[i + 1] ?? ''] as const] : [])),
)
