package handlers

import (
	"context"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/answer"
	"passage/views"
)

const (
	listedChats    = 40 // conversations in the list beside a page
	refreshSeconds = 4  // between two looks at an unfinished answer without scripts
)

// start shows the page where a conversation begins.
func (p *pages) start(c echo.Context) error {
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	_, total, err := p.cfg.Store.Documents(ctx, scope, rag.DocumentFilter{Limit: 1})
	if err != nil {
		return fmt.Errorf("counting documents: %w", err)
	}
	layout, err := p.askLayout(ctx, scope, "Ask", 0)
	if err != nil {
		return err
	}
	return draw(c, http.StatusOK, views.StartPage(layout, views.Start{
		Ask: views.AskForm{
			Action: "/chats", CSRF: csrfOf(c), Label: "Your question", Target: "#main", Swap: "innerHTML show:window:top", Most: answer.MaxQuestion, Focus: true,
		},
		Suggestions: p.cfg.Suggestions,
		Empty:       total == 0,
	}))
}

// chat shows a conversation.
func (p *pages) chat(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	layout, view, err := p.conversation(c, id)
	if err != nil {
		return err
	}
	return draw(c, http.StatusOK, views.ChatPage(layout, view))
}

// conversation reads a chat with all that its answers cite.
func (p *pages) conversation(c echo.Context, id int64) (views.Layout, views.Chat, error) {
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	chat, messages, err := p.cfg.Store.Chat(ctx, scope, id)
	if err != nil {
		return views.Layout{}, views.Chat{}, fmt.Errorf("reading chat %d: %w", id, err)
	}
	lib, err := p.open(ctx, scope, messages...)
	if err != nil {
		return views.Layout{}, views.Chat{}, fmt.Errorf("reading chat %d: %w", id, err)
	}
	layout, err := p.askLayout(ctx, scope, chat.Title, id)
	if err != nil {
		return views.Layout{}, views.Chat{}, err
	}
	for _, m := range messages {
		if m.Role == rag.RoleAssistant && m.State == rag.AnswerWriting {
			layout.Refresh = refreshSeconds
		}
	}
	return layout, views.Chat{
		Title: chat.Title,
		Turns: p.turns(messages, lib, csrfOf(c)),
		Ask: views.AskForm{
			Action: chatURL(id) + "/messages", CSRF: csrfOf(c), Label: "Ask on", Target: "#thread", Swap: "beforeend show:none", Most: answer.MaxQuestion,
		},
	}, nil
}

// askLayout is the frame of the pages that have the list of conversations.
func (p *pages) askLayout(ctx context.Context, scope rag.Scope, title string, current int64) (views.Layout, error) {
	chats, err := p.cfg.Store.Chats(ctx, scope, listedChats)
	if err != nil {
		return views.Layout{}, fmt.Errorf("listing chats: %w", err)
	}
	layout := views.Layout{Title: title, Section: "ask"}
	for _, chat := range chats {
		layout.Chats = append(layout.Chats, views.ChatLink{Title: chat.Title, URL: chatURL(chat.ID), Current: chat.ID == current})
	}
	return layout, nil
}
