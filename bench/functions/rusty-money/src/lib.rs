//! `FastMoney::from_money_lossy` of rusty-money.
