//! The words of default names.

#[rustfmt::skip]
pub(super) const WORDS: [&str; 158] = [
    "acorn", "amber", "anchor", "apple", "arrow", "aspen", "autumn", "badge", "bamboo", "basil",
    "beach", "birch", "bird", "blue", "bolt", "book", "bridge", "brook", "cabin", "candle",
    "canyon", "cedar", "chalk", "cherry", "cloud", "clover", "coast", "comet", "copper",
    "coral", "cotton", "crane", "creek", "crystal", "daisy", "dawn", "deer", "delta", "desert",
    "door", "dove", "dune", "eagle", "early", "earth", "echo", "ember", "falcon", "feather",
    "fern", "field", "finch", "flame", "flint", "forest", "fossil", "fox", "garden", "ginger",
    "glade", "globe", "golden", "grain", "granite", "grove", "harbor", "hazel", "heron", "hill",
    "honey", "horizon", "island", "ivory", "jade", "jasmine", "juniper", "kettle", "kite",
    "lagoon", "lake", "lantern", "lark", "lemon", "lily", "linen", "lotus", "lunar", "maple",
    "marble", "meadow", "melon", "mint", "moon", "moss", "mountain", "nectar", "noon", "north",
    "oak", "oasis", "ocean", "olive", "onyx", "opal", "orchid", "otter", "paper", "pearl",
    "pebble", "pepper", "pine", "planet", "plum", "polar", "pond", "poppy", "quartz", "quiet",
    "rabbit", "rain", "raven", "reed", "river", "robin", "ruby", "saffron", "sage", "sand",
    "shell", "silver", "sky", "snow", "spring", "spruce", "star", "stone", "summer", "sun",
    "swan", "thistle", "thunder", "tide", "tiger", "top", "trail", "tulip", "valley", "velvet",
    "violet", "walnut", "water", "wheat", "willow", "wind", "winter", "wood", "wren", "zephyr",
];
