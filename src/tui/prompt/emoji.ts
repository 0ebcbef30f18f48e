import type { Candidate } from "./ranking.ts"

/** Emoji by the names that people type after a colon. Several names stand for one, the first is the usual one. */
const NAMES = `
😀 grinning · 😃 smiley · 😄 smile · 😁 grin · 😆 laughing · 😅 sweat_smile · 🤣 rofl · 😂 joy · 🙂 slightly_smiling_face
🙃 upside_down_face · 😉 wink · 😊 blush · 😇 innocent · 🥰 smiling_face_with_three_hearts · 😍 heart_eyes · 😘 kissing_heart
😋 yum · 😛 stuck_out_tongue · 😜 stuck_out_tongue_winking_eye · 🤔 thinking · 🤨 raised_eyebrow · 😐 neutral_face
😑 expressionless · 😶 no_mouth · 😏 smirk · 🙄 roll_eyes · 😬 grimacing · 😌 relieved · 😴 sleeping · 🤒 face_with_thermometer
🤯 exploding_head · 🥳 partying_face · 😎 sunglasses · 🤓 nerd_face · 😕 confused · 😟 worried · 🙁 slightly_frowning_face
😮 open_mouth · 😯 hushed · 😲 astonished · 😳 flushed · 🥺 pleading_face · 😨 fearful · 😰 cold_sweat · 😢 cry · 😭 sob
😱 scream · 😖 confounded · 😞 disappointed · 😓 sweat · 😩 weary · 😤 triumph · 😡 rage · 😠 angry · 💀 skull · 💩 poop
🤡 clown_face · 👻 ghost · 👽 alien · 🤖 robot · 👍 +1 thumbsup · 👎 -1 thumbsdown · 👌 ok_hand · 👊 fist_oncoming punch
✊ fist · ✌ v · 🤞 crossed_fingers · 🤝 handshake · 👋 wave · 👏 clap · 🙌 raised_hands · 🙏 pray · 💪 muscle · 👀 eyes
🧠 brain · 🤷 shrug · 🤦 facepalm · 🙋 raising_hand · 🏃 running · 🚶 walking · 💻 computer laptop · 🖥 desktop_computer
⌨ keyboard · 🖱 computer_mouse · 💾 floppy_disk · 💿 cd · 📱 iphone · ☎ phone · 🔋 battery · 🔌 electric_plug · 💡 bulb
🔦 flashlight · 📦 package · 📁 file_folder · 📂 open_file_folder · 📄 page_facing_up · 📝 memo pencil · ✏ pencil2
📌 pushpin · 📎 paperclip · 🔗 link · 📊 bar_chart · 📈 chart_with_upwards_trend · 📉 chart_with_downwards_trend
📅 date · 🗑 wastebasket · 🔒 lock · 🔓 unlock · 🔑 key · 🔨 hammer · 🔧 wrench · 🔩 nut_and_bolt · ⚙ gear · 🧰 toolbox
🧪 test_tube · 🔬 microscope · 🔭 telescope · 📡 satellite · 🐛 bug · 🐞 beetle · 🦋 butterfly · 🐍 snake · 🦀 crab
🐙 octopus · 🐳 whale · 🐧 penguin · 🐘 elephant · 🐢 turtle · 🦊 fox_face · 🐱 cat · 🐶 dog · 🦄 unicorn · 🔥 fire
✨ sparkles · ⭐ star · 🌟 star2 · ⚡ zap · 💥 boom collision · 🌈 rainbow · ☀ sunny · ☁ cloud · ❄ snowflake · 🌊 ocean
🌍 earth_africa · 🌱 seedling · 🌲 evergreen_tree · 🍀 four_leaf_clover · 🌹 rose · 🍎 apple · 🍌 banana · 🍕 pizza
🍔 hamburger · 🍪 cookie · 🎂 birthday · ☕ coffee · 🍺 beer · 🍻 beers · 🎉 tada · 🎁 gift · 🏆 trophy · 🥇 1st_place_medal
⚽ soccer · 🎯 dart · 🎲 game_die · 🎵 musical_note · 🎨 art · 🎬 clapper · 📷 camera · 🚀 rocket · ✈ airplane · 🚗 car
🚲 bike · 🚂 steam_locomotive · 🚢 ship · ⚓ anchor · 🚧 construction · 🚨 rotating_light · 🚦 vertical_traffic_light
🏠 house · 🏢 office · 🏁 checkered_flag · 🚩 triangular_flag_on_post · ❤ heart · 💔 broken_heart · 💛 yellow_heart
💚 green_heart · 💙 blue_heart · 💜 purple_heart · 💯 100 · ✅ white_check_mark · ✔ heavy_check_mark · ❌ x
❎ negative_squared_cross_mark · ❓ question · ❗ exclamation · ⚠ warning · ⛔ no_entry · 🚫 no_entry_sign · ♻ recycle
➕ heavy_plus_sign · ➖ heavy_minus_sign · ➡ arrow_right · ⬅ arrow_left · ⬆ arrow_up · ⬇ arrow_down · 🔄 arrows_counterclockwise
🔍 mag · 🔎 mag_right · 🔔 bell · 🔕 no_bell · 💬 speech_balloon · 💭 thought_balloon · 📢 loudspeaker · ⏰ alarm_clock
⏳ hourglass_flowing_sand · ⌛ hourglass · ⏱ stopwatch · 🕐 clock1 · 🆕 new · 🆗 ok · 🆘 sos · 🔴 red_circle · 🟢 green_circle
🔵 large_blue_circle · 🟡 yellow_circle · ⚪ white_circle · ⚫ black_circle · 💰 moneybag · 💳 credit_card · 📧 email
📬 mailbox_with_mail · 🏷 label · 📚 books · 📖 book · 🎓 mortar_board · 🧩 jigsaw · 🪄 magic_wand · 🧹 broom · 🧵 thread
`

export const EMOJI: ReadonlyArray<Candidate> = NAMES.split(/[·\n]/).flatMap((entry) => {
  const [picture = "", ...names] = entry.trim().split(" ")
  return names.map((name) => ({ name, insert: picture, description: picture }))
})
